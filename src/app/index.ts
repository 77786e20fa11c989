/**
 * Joins the rooms: configuration, and each operation defined once with its schemas and texts.
 * Promises: every face shows and accepts the same; a caller's input is judged whole, with all its problems at once.
 * Refuses: to know how a face speaks to its caller.
 */

export { CODEX_SANDBOX_KEY } from './codex-profile.ts';
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
