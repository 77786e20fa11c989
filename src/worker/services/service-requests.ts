import { z } from 'zod';
import {
  claimRequestSchema,
  commandMetaSchema,
  META,
  METHODS,
  moveRequestSchema,
  removeRequestSchema,
  writeMetaSchema,
} from '../../protocol/index.ts';

const sessionId = z.string();
const path = z.string().min(1).max(8192);
const terminal = z.object({ sessionId, terminalId: z.string().max(100) });
const LARGEST_CONTENT = 16 * 1024 * 1024;

/** What the worker may ask of the host beside permissions, by method. ACP's own members first, ours under `_meta`. */
export const SERVICE_REQUESTS = {
  'fs/read_text_file': z.object({
    sessionId,
    path,
    line: z.int().min(1).nullish(),
    limit: z.int().min(0).nullish(),
  }),
  'fs/write_text_file': z.object({
    sessionId,
    path,
    content: z.string().max(LARGEST_CONTENT),
    _meta: z.object({ [META]: writeMetaSchema.optional() }).nullish(),
  }),
  [METHODS.move]: moveRequestSchema,
  [METHODS.remove]: removeRequestSchema,
  'terminal/create': z.object({
    sessionId,
    command: z.string().min(1).max(32_768),
    args: z.array(z.string().max(131_072)).max(1000).optional(),
    env: z.array(z.unknown()).max(0, 'variables are the host’s').nullish(),
    cwd: path.nullish(),
    outputByteLimit: z.number().min(0).nullish(),
    _meta: z.object({ [META]: commandMetaSchema.optional() }).nullish(),
  }),
  'terminal/output': terminal,
  'terminal/wait_for_exit': terminal,
  'terminal/kill': terminal,
  'terminal/release': terminal,
  [METHODS.claim]: claimRequestSchema,
  [METHODS.gate]: z.object({ sessionId }),
} as const;

export type ServiceMethod = keyof typeof SERVICE_REQUESTS;
export type ServiceRequest<M extends ServiceMethod> = z.output<(typeof SERVICE_REQUESTS)[M]>;

export const SERVICE_METHODS = Object.keys(SERVICE_REQUESTS) as ServiceMethod[];
