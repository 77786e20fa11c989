import { z } from 'zod';

/** `_meta` of `terminal/create`. The host ends the command by then, or by its own limit when that is shorter. */
export const commandMetaSchema = z.object({ timeout_ms: z.int().min(1000).max(600_000) });

const outputSchema = z.object({
  text: z.string().describe('Its beginning and its end when it was cut.'),
  total_bytes: z.int().min(0),
  truncated: z.boolean(),
});

/** `_meta` of the answer to `terminal/output` once the command has ended. */
export const commandResultSchema = z.object({
  exit_code: z.int().nullable().describe('Null when it did not exit by itself; `how` says what happened.'),
  how: z.string().optional(),
  stdout: outputSchema,
  stderr: outputSchema,
  touched: z
    .array(z.object({ path: z.string(), change: z.enum(['created', 'modified', 'deleted']) }))
    .max(10_000)
    .describe('Files in scope that the command changed, relative to the session’s folder, in byte-path form.'),
});
