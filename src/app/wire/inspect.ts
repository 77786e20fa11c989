/** Input and output of `reasonix_inspect`. */
import { z } from 'zod';
import { acceptanceSchema } from '../../evidence/index.ts';
import { usageSchema } from '../../worker/index.ts';
import { interactionWireSchema } from './interaction.ts';
import { taskViewSchema } from './task-view.ts';
import { count, someText, taskId } from './words.ts';

/** In the order in which pages bring them. */
export const SECTION_NAMES = [
  'status',
  'summary',
  'changed_files',
  'diff_stat',
  'diff',
  'verification',
  'acceptance_evidence',
  'risks',
  'usage',
  'interactions',
  'events',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

const MIN_PAGE_BYTES = 1024;
export const MAX_PAGE_BYTES = 65_536;

export const inspectInputSchema = z.strictObject({
  task_id: taskId.describe('The task to read.'),
  include: z
    .array(z.enum(SECTION_NAMES).describe('Name of a section.'))
    .max(SECTION_NAMES.length)
    .describe('Sections to return. Default: all but events. With a cursor: leave it out, or repeat it.')
    .optional(),
  wait_ms: z
    .int()
    .min(0)
    .max(30_000)
    .describe('Longest wait for wait_until, in milliseconds. Default 0: answer at once.')
    .optional(),
  cursor: z.string().min(1).max(8192).describe('next_cursor of the page before: continues where it ended.').optional(),
  max_bytes: z
    .int()
    .min(MIN_PAGE_BYTES)
    .max(MAX_PAGE_BYTES)
    .describe('Largest page, in bytes of its JSON. Default 65536; ask for less when your client cuts long results.')
    .optional(),
  wait_until: z
    .enum(['change', 'review_required', 'interaction', 'terminal'])
    .default('change')
    .describe(
      'What wait_ms waits for: any change, a review, a question of the worker, or the end. The end always ends the wait.',
    ),
});

export const verificationRowSchema = z.strictObject({
  id: z.string().describe('Id of the command or file assertion.'),
  argv: z.array(z.string().describe('One argument.')).describe('What was run, one argument each.'),
  cwd: z.string().describe('Folder in which it ran, relative to the root of the repository.'),
  startedAt: z.string().describe('ISO 8601 in UTC.'),
  finishedAt: z.string().describe('ISO 8601 in UTC.'),
  exitCode: z.int().nullable().describe('Exit code, or null when it ended by a signal, a timeout or not at all.'),
  timedOut: z.boolean().describe('Whether its time ran out.'),
  passed: z.boolean().describe('Whether it proved what it should.'),
  proves: z
    .array(z.string().describe('Id of an acceptance criterion.'))
    .describe('Criteria that it proves when passed.'),
  logPath: z.string().describe('File on this machine with the output.'),
  sha256: z.string().describe('SHA-256 of the whole output.'),
  outputBytes: count.describe('Size of the whole output.'),
});

export const eventRowSchema = z.strictObject({
  seq: count.describe('Number of the event within the task, rising.'),
  timestamp: z.string().describe('ISO 8601 in UTC.'),
  type: z.string().describe('What happened.'),
  data: z.unknown().describe('Facts of the event.').optional(),
});

/** A section is a piece of JSON text instead when one of its elements alone is larger than a page. */
function orText<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.string()]);
}

const inspectSectionsSchema = z.strictObject({
  status: orText(taskViewSchema).describe("The task's view.").optional(),
  summary: z.string().describe("The worker's last words: a claim that nobody verified.").optional(),
  changed_files: orText(z.array(z.string())).describe('Every file that the candidate changes.').optional(),
  diff_stat: z.string().describe('Lines added and removed by file.').optional(),
  diff: z.string().describe('The whole diff against the base, by pages.').optional(),
  verification: orText(z.array(verificationRowSchema))
    .describe('What the host ran itself, and how it ended.')
    .optional(),
  acceptance_evidence: orText(z.array(acceptanceSchema)).describe('Which criteria are met, and by what.').optional(),
  risks: orText(z.array(z.string())).describe('What the host found that a reviewer must know.').optional(),
  usage: orText(usageSchema).describe('Tokens and cost as the worker reports them.').optional(),
  interactions: orText(z.array(interactionWireSchema))
    .describe('Questions of the worker, open and settled.')
    .optional(),
  events: orText(z.array(eventRowSchema)).describe('What happened, in order; only when asked for.').optional(),
});

export const inspectOutputSchema = z.strictObject({
  task_id: taskId.describe('The task that was read.'),
  sections: inspectSectionsSchema.describe(
    'The sections of this page. Texts and lists go on where the page before ended; a string in place of a list or object is a piece of the JSON text of one large element.',
  ),
  truncated: z.boolean().describe('True when there is more: call again with next_cursor.'),
  next_cursor: z
    .string()
    .describe('Where the next page begins; opaque, for this task and these sections only.')
    .optional(),
  updated_at: someText.describe('When the task last changed, ISO 8601 in UTC.'),
});

export type InspectInput = z.output<typeof inspectInputSchema>;
export type InspectSections = z.output<typeof inspectSectionsSchema>;
export type InspectOutput = z.output<typeof inspectOutputSchema>;
