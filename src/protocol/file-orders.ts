import { z } from 'zod';

const bytes = z.string().describe('Base64.');
const path = z.string();
const expected = z.union([z.literal('absent'), z.strictObject({ sha256: z.string() })]);

/** One line of the helper's input. Paths are relative to the folder that it was started for, in byte-path form. */
export const fileOrderSchema = z.discriminatedUnion('op', [
  z.strictObject({ id: z.int(), op: z.literal('read'), path }),
  z.strictObject({ id: z.int(), op: z.literal('write'), path, bytes, expected, mode: z.int().optional() }),
  z.strictObject({ id: z.int(), op: z.literal('move'), from: path, to: path, expected }),
  z.strictObject({ id: z.int(), op: z.literal('remove'), path, expected: expected.optional() }),
]);
export type FileOrder = z.output<typeof fileOrderSchema>;

/** One line of its output. `failed`: a defect or a failing disk. */
export const fileAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ id: z.int(), kind: z.literal('file'), bytes, mode: z.int() }),
  z.object({ id: z.int(), kind: z.literal('absent') }),
  z.object({ id: z.int(), kind: z.literal('done') }),
  z.object({ id: z.int(), kind: z.literal('unexpected') }),
  z.object({ id: z.int(), kind: z.literal('refused'), reason: z.string() }),
  z.object({ id: z.int(), kind: z.literal('failed'), reason: z.string() }),
]);
export type FileAnswer = z.output<typeof fileAnswerSchema>;
