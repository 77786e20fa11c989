/** The shapes of the three tools, each written once: schema, type and advertised JSON Schema come from here. */
export {
  type ControlAction,
  type ControlInput,
  type ControlOutput,
  controlInputSchema,
  controlOutputSchema,
} from './wire/control.ts';
export { type DelegateInput, type DelegateOutput, delegateInputSchema, delegateOutputSchema } from './wire/delegate.ts';
export {
  type InspectInput,
  type InspectOutput,
  type InspectSections,
  inspectInputSchema,
  inspectOutputSchema,
  MAX_PAGE_BYTES,
  SECTION_NAMES,
  type SectionName,
} from './wire/inspect.ts';
export { type JsonSchema, toolJsonSchema } from './wire/json-schema.ts';
export { contractRefusal, parseControl, parseDelegate, parseInspect } from './wire/parse-input.ts';
export type { ReviewBundle } from './wire/review-bundle.ts';
export type { TaskView } from './wire/task-view.ts';
