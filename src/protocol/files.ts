import { z } from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().min(1).max(8192).describe('Absolute, below the session’s folder.');
const mode = z.int().min(0).max(0o777).describe('Permission bits; none that lends rights.');

/** What must be there for a change to happen: nothing, or bytes of this SHA-256. */
export const expectationSchema = z.union([z.literal('absent'), z.strictObject({ sha256: digest })]);
export type Expectation = z.output<typeof expectationSchema>;

/** `_meta` of the answer to `fs/read_text_file`: of the whole file, whichever lines were asked for. */
export const readMetaSchema = z.object({
  sha256: digest.describe('Of the file’s bytes.'),
  total_lines: z.int().min(0).describe('An unfinished last line counts.'),
  mode,
});

/** `_meta` of a `fs/write_text_file`. Without `mode` a file keeps its own; without `expected` whatever is there goes. */
export const writeMetaSchema = z.object({ expected: expectationSchema.optional(), mode: mode.optional() });

export const moveRequestSchema = z.object({
  sessionId: z.string(),
  from: path,
  to: path,
  expected: expectationSchema,
});

export const removeRequestSchema = z.object({
  sessionId: z.string(),
  path,
  expected: expectationSchema.optional(),
});

/** The answer to a move or a removal, and `_meta` of the answer to a write. What is denied is an error instead. */
export const changeAnswerSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('done') }),
  z.object({ outcome: z.literal('unexpected') }).describe('What is there is not what was expected; nothing happened.'),
  z.object({ outcome: z.literal('refused'), reason: z.string().describe('Follows the path: "is a folder".') }),
]);
