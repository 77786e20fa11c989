/** Input and output of `reasonix_delegate`. */
import { z } from 'zod';
import { contractInputSchema } from '../../contract/index.ts';
import { EFFORTS } from '../../worker/index.ts';
import { reviewBundleShape } from './review-bundle.ts';
import { taskViewShape } from './task-view.ts';
import { count, executionTimeoutSeconds, sha256Hex, taskId, workerLane } from './words.ts';

export const delegateInputSchema = z.strictObject({
  task_id: taskId.describe(
    'Name of the task, yours to choose: 1 to 64 of A-Z a-z 0-9 . _ -, first a letter or digit, no "..", not ending in "." or ".lock". The id of an existing task attaches to it.',
  ),
  contract: contractInputSchema,
  repository: z
    .string()
    .min(1)
    .max(1024)
    .describe('Which repository, by a name that an earlier error listed; only when several are open. Never a path.')
    .optional(),
  base_ref: z
    .string()
    .min(1)
    .max(1024)
    .describe(
      'Branch, tag or commit to start from. Default HEAD. Resolved once; uncommitted changes are not part of it.',
    )
    .optional(),
  worker_lane: workerLane
    .describe('"fast" (default) for small, well-specified changes; "deep" for work that needs exploration.')
    .optional(),
  reasoning_effort: z
    .enum(EFFORTS)
    .describe("How hard the worker's model thinks. Default: the operator's setting, else medium.")
    .optional(),
  execution_timeout_seconds: executionTimeoutSeconds
    .describe('Working time after which the worker is paused. Default 600 (fast) or 3600 (deep).')
    .optional(),
  wait_mode: z
    .enum(['review', 'background'])
    .default('review')
    .describe('"review" holds the call until the task needs you or is over; "background" returns at once.'),
  wait_timeout_seconds: z
    .int()
    .min(0)
    .max(600)
    .describe(
      'Longest hold of this call; then it answers timed_out and the worker goes on. Leave it out: the server then holds as long as your client bears (280 s with progress, else 50 s).',
    )
    .meta({ default: 600 })
    .optional(),
  pause_revision: count.describe('To resume a paused task: pause_revision of its last view.').optional(),
  pause_reason_hash: sha256Hex.describe('To resume a paused task: pause_reason_hash of its last view.').optional(),
  resume_message: z
    .string()
    .min(1)
    .max(20_000)
    .describe('When a paused task is resumed: what the worker should know, beside the reason of the pause.')
    .optional(),
  path_base: z
    .enum(['cwd', 'repository'])
    .describe(
      'What the paths in the contract are relative to: your working directory ("cwd", default) or the root of the repository.',
    )
    .optional(),
  resume: z
    .boolean()
    .default(true)
    .describe('When attaching to a paused task: true resumes it (needs both pause fields), false only looks.'),
});

export const delegateOutputSchema = z.strictObject({
  ...taskViewShape,
  ...reviewBundleShape,
  timed_out: z
    .boolean()
    .describe(
      'True when the wait ended first: the worker is still running; wait with reasonix_inspect or delegate again.',
    )
    .optional(),
});

export type DelegateInput = z.output<typeof delegateInputSchema>;
export type DelegateOutput = z.output<typeof delegateOutputSchema>;
