/** What a scripted model says: turns written down beforehand. There is no intelligence here, and nothing is made up. */

export interface ScriptedTurn {
  /** The turn is taken only when this holds; without it, by every request that offers tools. */
  readonly when?: Condition | ((request: ModelRequest) => boolean);
  readonly text?: string;
  /** A function reads what an earlier tool result said, such as an id that has to be repeated. */
  readonly toolCalls?: readonly ScriptedToolCall[] | ((request: ModelRequest) => readonly ScriptedToolCall[]);
  /** How many requests in a row it may answer; default 1. */
  readonly times?: number;
  readonly usage?: ScriptedUsage;
  /** The answer is held back until this settles. */
  readonly until?: Promise<unknown>;
  readonly fault?: ScriptedFault;
}

/** `status`: refused with it. `cut`: the connection ends in the middle of the turn's first call, or of its text. */
export type ScriptedFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  | { readonly cut: true };

/** A turn as it is said to one request. */
export interface SaidTurn extends Pick<ScriptedTurn, 'text' | 'usage' | 'until' | 'fault'> {
  readonly toolCalls: readonly ScriptedToolCall[];
}

export interface ScriptedToolCall {
  /** As the request offers it, without its namespace. */
  readonly name: string;
  /** A text is sent as it is, perhaps no JSON at all. */
  readonly arguments: Record<string, unknown> | string;
}

export function argumentsText({ arguments: given }: ScriptedToolCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

export interface ScriptedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
}

/** The part of a predicate that can stand in a JSON file. Every member that is given must hold. */
export interface Condition {
  readonly lastRole?: ModelMessage['role'];
  /** Some message's text contains it. */
  readonly includes?: string;
  /** The last message's text contains it. */
  readonly lastIncludes?: string;
}

/**
 * A request in terms that every API of a model has. `text` joins a message's text parts. Whatever an API calls it, the
 * result of a tool is a message of the role `tool`, and what the program says beside its user is of the role `system`.
 */
export interface ModelRequest {
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly ModelMessage[];
  readonly toolNames: readonly string[];
  /** The body as it came, for tests that look closer. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** Said when no turn is left that fits, so that an agent comes to an end instead of trying again. */
const SCRIPT_ENDED: SaidTurn = { text: 'The script of this model has no further turn.', toolCalls: [] };

/** Said to a request that offers no tools: a program wants a title, a topic, a summary or a warm connection. */
const SIDE_ANSWER: SaidTurn = { text: 'A scripted model has nothing to add.', toolCalls: [] };

/**
 * Takes turns in the order in which they stand, passing over those whose condition does not hold. A request that offers
 * no tools takes only turns that have a condition, so that what a program asks on the side does not use up the script.
 */
export class TurnChooser {
  readonly #left: { readonly turn: ScriptedTurn; times: number }[];

  constructor(turns: readonly ScriptedTurn[]) {
    this.#left = turns.map((turn) => ({ turn, times: turn.times ?? 1 }));
  }

  /** Turns that nobody asked for yet. */
  get left(): number {
    return this.#left.filter(({ times }) => times > 0).length;
  }

  next(request: ModelRequest): SaidTurn {
    const entry = this.#left.find(({ turn, times }) => times > 0 && holds(turn.when, request));
    if (entry === undefined) return request.toolNames.length === 0 ? SIDE_ANSWER : SCRIPT_ENDED;
    entry.times -= 1;
    return saidTo(request, entry.turn);
  }
}

function saidTo(request: ModelRequest, { text, usage, until, fault, toolCalls = [] }: ScriptedTurn): SaidTurn {
  return {
    ...(text !== undefined && { text }),
    ...(usage !== undefined && { usage }),
    ...(until !== undefined && { until }),
    ...(fault !== undefined && { fault }),
    toolCalls: typeof toolCalls === 'function' ? toolCalls(request) : toolCalls,
  };
}

function holds(when: ScriptedTurn['when'], request: ModelRequest): boolean {
  if (when === undefined) return request.toolNames.length > 0;
  if (typeof when === 'function') return when(request);
  const last = request.messages.at(-1);
  return (
    (when.lastRole === undefined || last?.role === when.lastRole) &&
    (when.includes === undefined || request.messages.some(({ text }) => text.includes(when.includes ?? ''))) &&
    (when.lastIncludes === undefined || (last?.text.includes(when.lastIncludes) ?? false))
  );
}
