/** A task as every tool shows it. */
import { z } from 'zod';
import { collisionSchema } from '../../task/index.ts';
import {
  commitHash,
  count,
  executionTimeoutSeconds,
  reasoningEffort,
  sha256Hex,
  someText,
  taskId,
  taskState,
  treeHash,
  workerLane,
} from './words.ts';

/** Members of the view; other outputs spread them, since JSON Schema has no inheritance that every client accepts. */
export const taskViewShape = {
  task_id: taskId.describe('The id that the task was delegated with.'),
  state: taskState.describe(
    'Where the task stands. Needs you: waiting_permission, waiting_input, paused, review_required. Over: completed, commit_failed, failed, cancelled, closed.',
  ),
  phase: z.string().describe('The step within the state, or the kind of pause, for example "no_change_in_scope".'),
  contract_hash: sha256Hex.describe("SHA-256 of the contract's canonical JSON; it never changes."),
  repository_id: someText.describe('Stable id of the repository.'),
  branch: someText.describe("The task's own branch, which receives the one commit."),
  worktree: someText.describe("The task's isolated checkout on this machine; yours is never changed."),
  worker_lane: workerLane.describe('The lane that the task was delegated with.'),
  requested_reasoning_effort: reasoningEffort.describe('The effort that was asked for.'),
  effective_reasoning_effort: reasoningEffort.describe('The effort that the worker reports to use.'),
  execution_timeout_seconds: executionTimeoutSeconds.describe('Working time that the worker has, in seconds.'),
  source_checkout_integrated: z
    .literal(false)
    .describe('Always false: the commit is never merged into your checkout; integration is yours.'),
  integration_command: z
    .string()
    .min(1)
    .max(1024)
    .describe('A command that you may run in your own checkout to take the commit over; only when completed.')
    .optional(),
  session_id: someText.describe("The worker's own session.").optional(),
  repair_rounds: count.describe('Repair rounds used after review; at most two.'),
  review_revision: count.describe('Revision of the reviewed candidate: echo it at finalize.').optional(),
  review_tree_hash: treeHash.describe('Git tree of the reviewed candidate: echo it at finalize.').optional(),
  pause_revision: count.describe('How many pauses so far: echo it to resume.').optional(),
  pause_reason_hash: sha256Hex.describe('SHA-256 of the reason of the pause: echo it to resume.').optional(),
  resume_required: z
    .boolean()
    .describe('True when the task is paused and goes on only when delegated again.')
    .optional(),
  reasonix_work_mode: someText.describe('Work mode that a Reasonix worker reports.').optional(),
  reasonix_session_mode: someText.describe('Session mode that the worker reports.').optional(),
  updated_at: someText.describe('When the task last changed, ISO 8601 in UTC.'),
  reason: z.string().describe('Why the task is paused, failed, or back at review, with the next step.').optional(),
  commit_hash: commitHash.describe("The one commit on the task's branch; only when completed.").optional(),
  source_collision: collisionSchema
    .describe('Changes in your own checkout that overlap the scope of the task.')
    .optional(),
};

export const taskViewSchema = z.strictObject(taskViewShape);

export type TaskView = z.output<typeof taskViewSchema>;
