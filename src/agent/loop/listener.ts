import type { Todo } from '../../evidence/index.ts';
import type { SessionUsage } from '../session/session-usage.ts';

/** What goes on in a turn, for whoever shows it. Nothing here decides anything. */
export interface TurnListener {
  text(text: string): void;
  reasoning(text: string): void;
  /** The answer broke off: what was told of it does not count, and comes anew. */
  unsaid(): void;
  callStarted(call: ShownCall): void;
  callEnded(call: ShownCall, answer: { text: string; isError: boolean }): void;
  todos(items: readonly Todo[]): void;
  used(usage: SessionUsage, cost: number | undefined): void;
}

/** `input`: the arguments, as far as they are JSON. `paths`: as the model named them. */
export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly paths: readonly string[];
}
