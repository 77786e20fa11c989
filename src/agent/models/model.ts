import type { ToolContract } from '../tools/define-tool.ts';

/** One language model behind one endpoint. */
export interface LanguageModel {
  /** `provider:name`, for people. */
  readonly id: string;
  /**
   * Streams one answer. Ends with exactly one `end`, or rejects with a `ModelFailure`; an abort rejects with the signal's
   * reason. It never retries by itself: the loop does, where it can be seen.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The same messages, system text and tools give the same bytes, and one more message only adds to them. */
export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolContract[];
  readonly messages: readonly Message[];
}

export type Message =
  /** `asked`: in the words of whoever gives the task; others are the loop's own. */
  | { readonly role: 'user'; readonly text: string; readonly asked?: true }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolAnswer[] };

export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly provider?: ProviderFacts }
  | CallPart;

/** `input`: the arguments as the model wrote them, perhaps no JSON. */
export interface CallPart {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly provider?: ProviderFacts;
}

/** What a provider wants back with a part of its answer, such as a signature; JSON. */
export type ProviderFacts = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type ModelEvent =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | CallPart
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'calls' | 'length' | 'refusal' | 'other';
      /** The whole answer, as it is sent back in the next request. */
      readonly parts: readonly AssistantPart[];
      readonly usage: ModelUsage;
    };

/** Of one answer, in tokens. `cachedInput` is part of `input`, `reasoning` of `output`. */
export interface ModelUsage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Why an answer did not come, or not whole. The message is a sentence without any credential. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** `transient`: the same request may succeed later. `too_long`: it may after a compaction. `final`: it will not. */
  readonly kind: 'transient' | 'too_long' | 'final';
  /** What the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelFailure['kind'], message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
