/** Each operation defined once: faces render these definitions, `host.ts` carries them out. */
import type { z } from 'zod';
import { CONTROL_TEXT, DELEGATE_TEXT, INSPECT_TEXT } from './operation-texts.ts';
import {
  type ControlAction,
  type ControlOutput,
  controlInputSchema,
  controlOutputSchema,
  type DelegateInput,
  type DelegateOutput,
  delegateInputSchema,
  delegateOutputSchema,
  type InspectInput,
  type InspectOutput,
  inspectInputSchema,
  inspectOutputSchema,
  type JsonSchema,
  parseControl,
  parseDelegate,
  parseInspect,
  toolJsonSchema,
} from './wire-schemas.ts';

/** What a caller's client states about where it may act, as it was sent: nothing in it is checked yet. */
export interface AuthorityInput {
  /** `_meta` of the call, for example with Codex's sandbox state. */
  meta?: Record<string, unknown>;
  /** URIs of the client's roots (`file:///…`), when it has any. */
  roots?: string[];
}

export interface CallContext {
  /** Asks the client once at the first call; the same answer afterwards. */
  authority: () => Promise<AuthorityInput>;
  /** Ends the wait of this call; never the task. */
  signal: AbortSignal;
  progress: {
    /** Whether the client follows progress, and so bears a longer call. */
    requested: boolean;
    /** Says in a few words what goes on; free to call often. */
    report(message: string): void;
  };
}

export interface Operations {
  delegate(input: DelegateInput, context: CallContext): Promise<DelegateOutput>;
  control(input: ControlAction, context: CallContext): Promise<ControlOutput>;
  inspect(input: InspectInput, context: CallContext): Promise<InspectOutput>;
}

/** Hints of the Model Context Protocol about what a tool may do. */
export interface OperationAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A call whose arguments were accepted. */
export type AcceptedCall = (
  operations: Operations,
  context: CallContext,
) => Promise<DelegateOutput | ControlOutput | InspectOutput>;

export interface OperationDefinition {
  readonly name: 'reasonix_delegate' | 'reasonix_control' | 'reasonix_inspect';
  readonly title: string;
  readonly description: string;
  readonly annotations: OperationAnnotations;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly output: z.ZodType;
  /** Throws `invalid_request` or `invalid_contract` with every problem of the arguments. */
  accept(raw: unknown): AcceptedCall;
}

const CHANGES: OperationAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const READS: OperationAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const OPERATIONS: readonly OperationDefinition[] = [
  {
    name: 'reasonix_delegate',
    title: 'Delegate a coding task under a contract',
    description: DELEGATE_TEXT,
    annotations: CHANGES,
    inputSchema: toolJsonSchema(delegateInputSchema, 'input'),
    outputSchema: toolJsonSchema(delegateOutputSchema, 'output'),
    output: delegateOutputSchema,
    accept(raw) {
      const input = parseDelegate(raw);
      return (operations, context) => operations.delegate(input, context);
    },
  },
  {
    name: 'reasonix_control',
    title: 'Steer, answer, approve or stop a delegated task',
    description: CONTROL_TEXT,
    annotations: CHANGES,
    inputSchema: toolJsonSchema(controlInputSchema, 'input'),
    outputSchema: toolJsonSchema(controlOutputSchema, 'output'),
    output: controlOutputSchema,
    accept(raw) {
      const input = parseControl(raw);
      return (operations, context) => operations.control(input, context);
    },
  },
  {
    name: 'reasonix_inspect',
    title: 'Read the state and evidence of a delegated task',
    description: INSPECT_TEXT,
    annotations: READS,
    inputSchema: toolJsonSchema(inspectInputSchema, 'input'),
    outputSchema: toolJsonSchema(inspectOutputSchema, 'output'),
    output: inspectOutputSchema,
    accept(raw) {
      const input = parseInspect(raw);
      return (operations, context) => operations.inspect(input, context);
    },
  },
];
