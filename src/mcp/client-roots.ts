/** How the host learns which directories a client works in: from its sandbox state, else by asking for its roots. */
import { type InputRequiredResult, inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type AuthorityInput, CODEX_SANDBOX_KEY } from '../app/index.ts';
import type { Caller } from './caller.ts';

/** A client that does not answer by then is taken to have no roots. */
const ROOTS_TIMEOUT_MS = 5_000;
const MAX_ROOTS = 64;

const rootsAnswer = z.object({ roots: z.array(z.object({ uri: z.string().max(4096) })) });

/** In the 2026 era a server asks by its answer, and the client calls again with what was asked for. */
export function mustAskForRoots(caller: Caller, { mcpReq }: ServerContext): boolean {
  if (caller.era === 'session' || !caller.hasRoots || statesSandbox(mcpReq._meta)) return false;
  return mcpReq.inputResponses === undefined && mcpReq.droppedInputResponseKeys === undefined;
}

export function askForRoots(): InputRequiredResult {
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
}

/** Never fails: a client that declines, cannot or will not answer states no roots. */
export async function readAuthority(
  caller: Caller,
  context: ServerContext,
  memory: { silent: boolean },
): Promise<AuthorityInput> {
  const { _meta: meta } = context.mcpReq;
  const roots = statesSandbox(meta) ? undefined : await readRoots(caller, context, memory);
  return { ...(meta !== undefined && { meta: { ...meta } }), ...(roots !== undefined && { roots }) };
}

async function readRoots(
  caller: Caller,
  { mcpReq }: ServerContext,
  memory: { silent: boolean },
): Promise<string[] | undefined> {
  if (caller.era === 'stateless') return urisOf(mcpReq.inputResponses?.['roots']);
  if (!caller.hasRoots || memory.silent) return undefined;
  try {
    return urisOf(await mcpReq.send({ method: 'roots/list' }, { timeout: ROOTS_TIMEOUT_MS, signal: mcpReq.signal }));
  } catch {
    memory.silent = !mcpReq.signal.aborted;
    return undefined;
  }
}

function urisOf(answer: unknown): string[] | undefined {
  const parsed = rootsAnswer.safeParse(answer);
  return parsed.success ? parsed.data.roots.slice(0, MAX_ROOTS).map(({ uri }) => uri) : undefined;
}

function statesSandbox(meta: Record<string, unknown> | undefined): boolean {
  return meta?.[CODEX_SANDBOX_KEY] !== undefined;
}
