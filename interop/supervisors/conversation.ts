/** What every supervisor does here: call Remit's tools one after another, each call made from what was answered before. */
import type { Workshop } from '../../test/journeys/workshop.ts';

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
  /** Further configuration of the client that a scenario is about. */
  readonly sandbox?: 'read-only';
}

/** A program that can hold such a conversation. */
export interface SupervisorProgram {
  /** With its version. */
  readonly title: string;
  /** Why it cannot run here, as a sentence. */
  readonly unavailable: string | undefined;
  /** Seconds after which it gives a call up unless it is configured. */
  readonly defaultCallTimeoutSeconds: number;
  /** Answers to all calls, in order. Fails when the program ends badly or does not make every call. */
  converse(workshop: Workshop, calls: readonly Call[], options?: ConversationOptions): Promise<Answer[]>;
  /** Files that a repository brings along to redirect Remit, and what the program makes of them. */
  readonly planted: readonly PlantedSettings[];
}

export interface PlantedSettings {
  readonly title: string;
  /** Paths in the repository. `command` starts a server that leaves a mark and then is Remit with another state. */
  files(command: readonly string[]): Readonly<Record<string, string>>;
  readonly happens: 'it has no effect' | 'it replaces Remit';
}

/** A result as a program shows it to its model: JSON, perhaps with words around it, or the sentence for an error. */
export function readAnswer(text: string): Answer {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    return JSON.parse(json);
  } catch {
    const code = /Error (\w+) \((?:not )?retryable/.exec(text)?.[1];
    return code === undefined ? { said: text } : { error: { code, message: text } };
  }
}
