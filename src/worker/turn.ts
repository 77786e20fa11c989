import type { Decision } from '../policy/index.ts';
import type { TurnFacts } from '../protocol/index.ts';
import type { ReasonixStatus } from './reasonix-status.ts';
import { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';

/** How one prompt ended. */
export type TurnOutcome =
  | {
      readonly kind: 'ended';
      /** The agent's word, whatever it is; `none` when it gave none. Work is judged by the tree, never by this. */
      readonly stopReason: string;
      readonly phase?: string;
      /** In the words of a worker that works through the host. */
      readonly facts?: TurnFacts;
      readonly readiness?: { readonly ready: boolean; readonly summary?: string; readonly risks: readonly string[] };
      /** Of the whole session so far. */
      readonly usage?: Usage;
      /** Whether it asked for any permission in this prompt. */
      readonly asked: boolean;
      /** The agent's last message, at most 8 KiB: a claim. */
      readonly summary: string;
    }
  /** Ended by `cancel`; the worker's process tree is gone. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'exited'; readonly reason: string }
  | { readonly kind: 'protocol_error'; readonly reason: string }
  | { readonly kind: 'denied_repeatedly'; readonly decision: Decision; readonly action: string };

/** Identical denials of one prompt that end it. */
export const MAX_IDENTICAL_DENIALS = 3;
const MAX_DIFFERENT_DENIALS = 1_000;

/** What is known about a prompt while it runs. */
export class Turn {
  readonly transcript = new Transcript();
  /** Settles when the host itself ended the turn. */
  readonly over: Promise<TurnOutcome>;
  asked = false;
  status: ReasonixStatus = {};
  cost: unknown;
  /** Present once the host has begun to end the turn. */
  ending: Promise<void> | undefined;
  /** Settles when the agent has answered the prompt, or cannot any more. */
  answered: Promise<TurnOutcome> | undefined;
  finish: (outcome: TurnOutcome) => void = () => {};
  readonly #abort = new AbortController();
  readonly #denials = new Map<string, number>();

  constructor() {
    this.over = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Withdraws what is open: questions to the supervisor are cancelled, permissions answered `cancelled`. */
  withdraw(): void {
    this.#abort.abort(new Error('the turn is over'));
  }

  /** Counts a denial and answers how often this very thing was denied in this prompt. */
  countDenial(key: string): number {
    const count = (this.#denials.get(key) ?? 0) + 1;
    if (count > 1 || this.#denials.size < MAX_DIFFERENT_DENIALS) this.#denials.set(key, count);
    return count;
  }
}
