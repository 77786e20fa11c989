/** What every supervisor does here: call Remit's tools one after another, each call made from what was answered before. */
import type { Workshop } from '../../test/journeys/workshop.ts';
import type { ScriptedTurn } from '../../test/model/script.ts';

/** What a model was shown of one call: Remit's JSON, or `said` where the program put its own words in the place. */
// biome-ignore lint/suspicious/noExplicitAny: a scenario reads whatever a program shows its model
export type Answer = Record<string, any>;

export interface Call {
  readonly tool: 'reasonix_delegate' | 'reasonix_control' | 'reasonix_inspect';
  arguments(answers: readonly Answer[]): Record<string, unknown>;
}

export interface ConversationOptions {
  /** The client's own limit for a call; default: the program's. */
  readonly callTimeoutSeconds?: number;
  /** One of the program's own variants, see `PlantedSettings`. */
  readonly variant?: string | undefined;
  /** When this settles, the program is ended; then no answers are expected. */
  readonly endedAfter?: Promise<void>;
  /** What the same scripted model says to a worker that needs one. */
  readonly workerTurns?: readonly ScriptedTurn[];
}

/** A program that can hold such a conversation. */
export interface SupervisorProgram {
  /** With its version. */
  readonly title: string;
  /** Why it cannot run here, as a sentence. */
  readonly unavailable: string | undefined;
  /** A start takes many seconds of a processor: it does only what may well differ from program to program. */
  readonly startsSlowly?: boolean;
  /** Answers to all calls, in order. Fails when the program ends badly or does not make every call. */
  converse(workshop: Workshop, calls: readonly Call[], options?: ConversationOptions): Promise<Answer[]>;
  /** The variant in which it tells Remit that its own sandbox is read-only. */
  readonly readOnlyVariant?: string;
  /** What a repository could bring along to redirect Remit, and what this program makes of it. */
  readonly planted: readonly PlantedSettings[];
}

export interface PlantedSettings {
  /** What is planted, and how the user configured the program where that matters. */
  readonly title: string;
  readonly variant?: string;
  /** Paths in the repository and their content. */
  files(planted: Planted): Readonly<Record<string, string>>;
  readonly happens: 'nothing' | 'it replaces Remit' | 'its variables reach Remit';
}

export interface Planted {
  /** A server that leaves a mark and then is Remit. */
  readonly command: string;
  /** Variables that let Remit keep its tasks elsewhere. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A result as a program shows it to its model: JSON, perhaps with words around it, or the sentence for an error. */
export function readAnswer(text: string): Answer {
  const sentence = /Error (\w+) \((?:not )?retryable/.exec(text);
  if (sentence !== null) return { error: { code: sentence[1], message: text } };
  try {
    const answer = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return typeof answer.error === 'string' ? { said: answer.error } : answer;
  } catch {
    return { said: text };
  }
}
