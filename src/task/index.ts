/**
 * The life of one delegation: admission, worktree, worker, questions, pauses, repairs, recovery. Promises: each change of
 * state is one durable transaction with its event, only along the table of transitions, and only from here or through
 * the journal that this room hands out. Refuses: stale tokens, overlapping scopes, states that an action does not allow.
 * What a worktree holds for review is decided by `review/`, which is handed in.
 */
export { type Activity, ActivityFeed, activitySchema } from './activity.ts';
export type { Delegation } from './admission.ts';
export { type Interaction, interactionSchema } from './interactions.ts';
export { Journal, type TaskEvent } from './journal.ts';
export { describeCollision, listPaths, type SnapshotVerdict } from './landing.ts';
export { isTerminal, isWorking, moveTo } from './lifecycle.ts';
export { ownershipOf } from './ownership.ts';
export { appendReceipts, lastReceipt } from './receipts.ts';
export {
  type Approval,
  collisionSchema,
  type Review,
  type SourceCollision,
  type StatusOf,
  TASK_STATES,
  type TaskRecord,
  type TaskState,
} from './record.ts';
export { recoverTask, recoverTasks } from './recovery.ts';
export { reachedBy } from './scope-reach.ts';
export { findTaskCollision } from './source-collision.ts';
export { taskRepository } from './task-repository.ts';
export { MAX_REPAIR_ROUNDS, type PauseTokens, Tasks, wrongState } from './tasks.ts';
export type { TaskPlaces, TaskTools, WorkerProgram } from './tools.ts';
export { untilWritten } from './until-written.ts';
export { WorkerSlots } from './worker-slots.ts';
export { openTaskWorkspace } from './worktree.ts';
