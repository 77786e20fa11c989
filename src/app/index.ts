/**
 * Joins the rooms: configuration, and each operation defined once with its schemas and texts.
 * Promises: every face shows and accepts the same; a caller's input is judged whole, with all its problems at once.
 * Refuses: to know how a face speaks to its caller.
 */

export { type BundledWorker, describeBundledWorker } from './bundled-worker.ts';
export { CODEX_SANDBOX_KEY } from './codex-profile.ts';
export type { SettingFlags } from './configuration.ts';
export { runBackgroundHost } from './desk/background-host.ts';
export { type Desk, openDesk } from './desk/desk.ts';
export { type TaskDetail, taskDetailSchema } from './desk/task-detail.ts';
export { type TaskEvidence, taskEvidenceSchema } from './desk/task-evidence.ts';
export { type NamedTask, readTaskIds } from './desk/task-ids.ts';
export { type ListedTask, type TaskListing, taskListingSchema } from './desk/task-listing.ts';
export { type TaskNews, taskNewsSchema } from './desk/task-news.ts';
export { type Host, openHost } from './host.ts';
export { newErrorId } from './log-file.ts';
export { INSTRUCTIONS } from './operation-texts.ts';
export {
  type AcceptedCall,
  type AuthorityInput,
  type CallContext,
  OPERATIONS,
  type OperationAnnotations,
  type OperationDefinition,
  type Operations,
} from './operations.ts';
export type {
  ControlOutput,
  DelegateInput,
  DelegateOutput,
  InspectInput,
  InspectOutput,
  JsonSchema,
  TaskView,
} from './wire-schemas.ts';
