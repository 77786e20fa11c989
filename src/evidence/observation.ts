import { z } from 'zod';
import { completeStepSchema } from './complete-step.ts';
import type { Frozen } from './frozen.ts';
import { lineRangeSchema } from './line-ranges.ts';
import { reviewReportSchema } from './review-report.ts';
import { SECURITY_TOPICS } from './security-paths.ts';
import { todoSchema } from './todos.ts';

const path = z
  .string()
  .min(1)
  .describe('Relative to the repository, without "." segments; bytes that are no UTF-8 stand as lone surrogates.');
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const totalLines = z.int().min(0).describe('Lines of the whole file; an unfinished last line counts.');

export const readObservationSchema = z.strictObject({
  kind: z.literal('read'),
  path,
  ranges: z.array(lineRangeSchema).describe('Lines that were handed over.'),
  total_lines: totalLines,
  sha256: digest.describe('Of the whole file’s bytes as they were then, not only of what was handed over.'),
});

export const writeObservationSchema = z.strictObject({
  kind: z.literal('write'),
  path,
  change: z.enum(['created', 'modified', 'deleted']).describe('A move is a deletion and a creation.'),
  changed: z
    .array(lineRangeSchema)
    .describe(
      'Lines of the new content that differ from the content before this write; where lines were only taken out, those beside the cut. None for a deletion.',
    ),
  total_lines: totalLines.describe('Lines of the new content; 0 for a deletion.'),
  sha256: digest
    .optional()
    .describe('Of the new content, of a link of its target; absent for a deletion and for what cannot be read.'),
  entry: z.enum(['executable', 'link']).optional().describe('What is there now, when it is no ordinary file.'),
  in_base: z
    .literal(true)
    .optional()
    .describe('The base has this path, whatever stood there before: so it is not new, and its absence is a deletion.'),
  moved_from: path.optional().describe('Of the creation that is half of a move: where the file was.'),
  security: z
    .array(z.enum(SECURITY_TOPICS))
    .optional()
    .describe('What `securityTopics` says of the text that was put in and taken out. The path is judged without it.'),
});

export const commandObservationSchema = z.strictObject({
  kind: z.literal('command'),
  argv: z
    .array(z.string())
    .min(1)
    .describe('What ran, without a shell; a read of Git so that no configuration of the repository had a say.'),
  cwd: z.string().describe('Where, relative to the repository; "" or "." for its root.'),
  exit_code: z.int().nullable().describe('Null when it ended otherwise.'),
  stdout: z.string().describe('Its standard output, perhaps only a part.'),
  stdout_bytes: z.int().min(0).describe('Size of all of it.'),
  truncated: z.boolean().describe('Whether `stdout` is only a part.'),
});

/**
 * One entry of a worker's ledger, in the order in which they happened. Reads, writes and commands are what their recorder
 * saw; steps, reports and todos are a worker's words, and the gate judges each by what stands before it.
 */
export const observationSchema = z.discriminatedUnion('kind', [
  readObservationSchema,
  writeObservationSchema,
  commandObservationSchema,
  z.strictObject({ kind: z.literal('step'), step: completeStepSchema }),
  z.strictObject({ kind: z.literal('report'), report: reviewReportSchema }),
  z.strictObject({ kind: z.literal('todos'), items: z.array(todoSchema) }),
]);

export type Observation = Frozen<z.infer<typeof observationSchema>>;
export type WriteObservation = Extract<Observation, { readonly kind: 'write' }>;
export type CommandObservation = Extract<Observation, { readonly kind: 'command' }>;
