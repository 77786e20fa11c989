import { z } from 'zod';
import { workerReviewSchema } from '../evidence/index.ts';
import { EFFORTS, LANES, usageSchema } from '../worker/index.ts';

/** Every state of a task; the transitions between them are in `lifecycle.ts`. */
export const TASK_STATES = [
  'provisioning',
  'running',
  'waiting_permission',
  'waiting_input',
  'paused',
  'review_required',
  'verifying',
  'completed',
  'commit_failed',
  'failed',
  'cancelled',
  'closed',
] as const;

export type TaskState = (typeof TASK_STATES)[number];

const objectId = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const someText = z.string().min(1);
const paths = (description: string) =>
  z.array(z.string().describe('A path, relative to the root of the repository.')).describe(description);

/** Where the source repository was found when the task was delegated. `id` survives a move of neither. */
const repositorySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  git_dir: z.string(),
  common_dir: z.string(),
  object_format: z.enum(['sha1', 'sha256']),
});

/** What stood in the source checkout where it overlaps the scope. Field names are the wire's. */
export const collisionSchema = z.strictObject({
  checkpoint: someText.describe('When the host noticed: for example during work or at finalize.'),
  baseCommit: someText.describe('The commit that the task was made from.'),
  sourceHead: someText.describe("The commit that the caller's checkout is on now.").optional(),
  dirtyPaths: paths("Paths with uncommitted changes in the caller's checkout."),
  committedPaths: paths("Paths changed by commits in the caller's checkout since the base."),
  overlappingPaths: paths("Those of both that lie in the task's scope."),
  unavailable: z.boolean().describe("Whether the caller's checkout could not be read."),
  detectedAt: someText.describe('When it was noticed, ISO 8601 in UTC.'),
});

/** One candidate tree, as it is shown to the reviewer. Paths are display forms: controls and raw bytes escaped. */
const reviewSchema = z.strictObject({
  revision: z.int().min(1),
  tree: objectId,
  diff_sha256: digest,
  diff_bytes: z.int().min(0),
  diff_stat: z.string(),
  changed_files: z.array(z.string()),
  risks: z.array(z.string()),
  /** The worker's last words: a claim, never evidence. */
  summary: z.string(),
  created_at: z.string(),
  /** Of a worker that works through the host: its accepted reports with the receipts that they rest on. */
  worker_review: workerReviewSchema.optional(),
});

const approvalSchema = z.strictObject({
  revision: z.int(),
  tree: objectId,
  summary: z.string(),
  approved_criteria: z.array(z.string()),
  commit_message: z.string(),
  approved_at: z.string(),
});

const problemSchema = z.strictObject({ code: z.string(), message: z.string() });

const statusSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('provisioning'), phase: z.string() }),
  z.strictObject({ state: z.literal('running'), phase: z.string() }),
  z.strictObject({ state: z.literal('waiting_permission'), phase: z.string(), interaction_id: z.string() }),
  z.strictObject({ state: z.literal('waiting_input'), phase: z.string(), interaction_id: z.string() }),
  z.strictObject({
    state: z.literal('paused'),
    phase: z.string(),
    reason: z.string(),
    reason_hash: digest,
    collision: collisionSchema.optional(),
  }),
  z.strictObject({
    state: z.literal('review_required'),
    phase: z.string(),
    review: reviewSchema,
    /** Why the last attempt to finalize came back here. */
    problem: problemSchema.optional(),
    collision: collisionSchema.optional(),
  }),
  z.strictObject({
    state: z.literal('verifying'),
    phase: z.string(),
    review: reviewSchema,
    approval: approvalSchema,
    /** Recorded before the branch moves, so that a restart can tell from the ref whether the commit happened. */
    commit: objectId.optional(),
  }),
  z.strictObject({
    state: z.literal('completed'),
    phase: z.string(),
    review: reviewSchema,
    approval: approvalSchema,
    commit: objectId,
  }),
  z.strictObject({ state: z.literal('commit_failed'), phase: z.string(), review: reviewSchema, reason: z.string() }),
  z.strictObject({ state: z.literal('failed'), phase: z.string(), reason: z.string() }),
  z.strictObject({ state: z.literal('cancelled'), phase: z.string(), reason: z.string() }),
  z.strictObject({ state: z.literal('closed'), phase: z.string(), reason: z.string() }),
]);

const sessionSchema = z.strictObject({
  id: z.string(),
  agent_name: z.string().optional(),
  agent_version: z.string().optional(),
  mode: z.string().optional(),
  work_mode: z.string().optional(),
  effort: z.string().optional(),
});

/** A task as it is stored: facts fixed at delegation, counters that only grow, and the facts of its present state. */
export const taskRecordSchema = z.strictObject({
  task_id: z.string(),
  contract: z.string(),
  contract_hash: digest,
  repository: repositorySchema,
  base_ref: z.string(),
  base_commit: objectId,
  branch: z.string(),
  worktree: z.string(),
  worker: z.string(),
  adapter: z.string(),
  worker_lane: z.enum(LANES),
  requested_reasoning_effort: z.enum(EFFORTS),
  execution_timeout_seconds: z.int(),
  network: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  repair_rounds: z.int(),
  review_revision: z.int(),
  pause_revision: z.int(),
  prompts_begun: z.int(),
  session: sessionSchema.optional(),
  usage: usageSchema.optional(),
  /** What the supervisor told the worker last, until there is something to review: a resume says it once more. */
  guidance: z.string().optional(),
  /** Risks known before any work, such as filtered paths that are checked out raw. */
  standing_risks: z.array(z.string()),
  status: statusSchema,
});

export type TaskRecord = z.infer<typeof taskRecordSchema>;
export type TaskStatus = z.infer<typeof statusSchema>;
export type StatusOf<S extends TaskState> = Extract<TaskStatus, { state: S }>;
export type Review = z.infer<typeof reviewSchema>;
export type Approval = z.infer<typeof approvalSchema>;
export type SourceCollision = z.infer<typeof collisionSchema>;
export type TaskRepository = z.infer<typeof repositorySchema>;
export type Session = z.infer<typeof sessionSchema>;
