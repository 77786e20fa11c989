import { z } from 'zod';
import { META } from '../protocol/index.ts';
import { eventLine } from './events.ts';
import { STATUS_METHOD } from './reasonix-status.ts';

/** What an agent said about itself at `initialize`, as far as Remit acts on it. */
export interface AgentCapabilities {
  readonly protocolVersion: number | undefined;
  readonly agent: { readonly name?: string; readonly version?: string };
  readonly load: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  /** The extension method that guides a running turn. */
  readonly steerMethod: string | undefined;
  readonly status: boolean;
  readonly authMethods: readonly AuthMethod[];
}

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly type: string | undefined;
  /** Names of the environment variables that it reads. */
  readonly variables: readonly string[];
}

const advertised = z.unknown().transform((value) => value !== undefined && value !== null && value !== false);
const line = z
  .string()
  .transform((text) => eventLine(text, 200))
  .optional()
  .catch(undefined);

const authMethodSchema = z.object({
  id: z.string().max(200),
  name: z.string().max(500).catch(''),
  type: z.string().optional().catch(undefined),
  vars: z.array(z.object({ name: z.string() })).catch([]),
  varName: z.string().optional().catch(undefined),
});

const initializeSchema = z.object({
  protocolVersion: z.number().optional().catch(undefined),
  agentInfo: z.object({ name: line, version: line }).nullish().catch(undefined),
  authMethods: z.array(authMethodSchema.nullable().catch(null)).catch([]),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false),
      sessionCapabilities: z.object({ resume: advertised, list: advertised, close: advertised }).partial().catch({}),
      _meta: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

const steerSchema = z.object({ sessionSteer: z.object({ method: z.string().regex(/^_[\w./-]{1,100}$/) }) });
/** Under whose name an agent says how it can be guided. */
const STEER_OWNERS = ['reasonix.io', META];

/** Reads the answer to `initialize`; `undefined` when it is no such answer at all. */
export function readCapabilities(answer: unknown): AgentCapabilities | undefined {
  const parsed = initializeSchema.safeParse(answer);
  if (!parsed.success) return undefined;
  const { protocolVersion, agentInfo, authMethods, agentCapabilities } = parsed.data;
  const session = agentCapabilities?.sessionCapabilities ?? {};
  const meta = agentCapabilities?._meta ?? {};
  const steer = STEER_OWNERS.map((owner) => steerSchema.safeParse(meta[owner])).find(({ success }) => success);
  return {
    protocolVersion,
    agent: {
      ...(agentInfo?.name !== undefined && { name: agentInfo.name }),
      ...(agentInfo?.version !== undefined && { version: agentInfo.version }),
    },
    load: agentCapabilities?.loadSession ?? false,
    resume: session.resume ?? false,
    list: session.list ?? false,
    close: session.close ?? false,
    steerMethod: steer?.data?.sessionSteer.method,
    status: meta[STATUS_METHOD] !== undefined,
    authMethods: authMethods
      .filter((method) => method !== null)
      .map(({ vars, varName, type, ...method }) => ({
        ...method,
        type,
        variables: [...vars.map((variable) => variable.name), ...(varName === undefined ? [] : [varName])],
      })),
  };
}
