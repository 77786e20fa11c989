/** What a scripted model says: turns written down beforehand. There is no intelligence here, and nothing is made up. */

export interface ScriptedTurn {
  /** The turn is taken only when this holds; without it, it always does. */
  readonly when?: Condition | ((request: ModelRequest) => boolean);
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** How many requests in a row it may answer; default 1. */
  readonly times?: number;
  readonly usage?: ScriptedUsage;
}

export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

export interface ScriptedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
}

/** The part of a predicate that can stand in a JSON file. Every member that is given must hold. */
export interface Condition {
  readonly lastRole?: 'system' | 'user' | 'assistant' | 'tool';
  /** Some message's text contains it. */
  readonly includes?: string;
  /** The last message's text contains it. */
  readonly lastIncludes?: string;
}

/** A request in terms that every API of a model has. `text` joins a message's text parts. */
export interface ModelRequest {
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly toolNames: readonly string[];
  /** The body as it came, for tests that look closer. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Said when no turn is left that fits, so that an agent comes to an end instead of trying again. */
export const SCRIPT_ENDED: ScriptedTurn = { text: 'The script of this model has no further turn.' };

/** Takes turns in the order in which they stand, passing over those whose condition does not hold. */
export class TurnChooser {
  readonly #left: { readonly turn: ScriptedTurn; times: number }[];

  constructor(turns: readonly ScriptedTurn[]) {
    this.#left = turns.map((turn) => ({ turn, times: turn.times ?? 1 }));
  }

  /** Turns that nobody asked for yet. */
  get left(): number {
    return this.#left.filter(({ times }) => times > 0).length;
  }

  next(request: ModelRequest): ScriptedTurn | undefined {
    const entry = this.#left.find(({ turn, times }) => times > 0 && holds(turn.when, request));
    if (entry === undefined) return undefined;
    entry.times -= 1;
    return entry.turn;
  }
}

function holds(when: ScriptedTurn['when'], request: ModelRequest): boolean {
  if (when === undefined) return true;
  if (typeof when === 'function') return when(request);
  const last = request.messages.at(-1);
  return (
    (when.lastRole === undefined || last?.role === when.lastRole) &&
    (when.includes === undefined || request.messages.some(({ text }) => text.includes(when.includes ?? ''))) &&
    (when.lastIncludes === undefined || (last?.text.includes(when.lastIncludes) ?? false))
  );
}
