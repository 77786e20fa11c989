/** What `scripted-model.ts` needs of an API: to read its request into common terms, and to say a turn in its own. */
import type { ModelMessage, ModelRequest, SaidTurn, ScriptedUsage } from './script.ts';

export type Json = Record<string, unknown>;

export interface ModelApi {
  /** Paths without their query. */
  serves(path: string): boolean;
  /** The members that differ from API to API. */
  read(body: Json, path: string): Pick<ModelRequest, 'model' | 'stream' | 'messages' | 'toolNames'>;
  /** The answer to a request that is not streamed. `sequence` makes ids that repeat from run to run. */
  wholeAnswer(turn: SaidTurn, request: ModelRequest, sequence: number): Json;
  /** A streamed answer. */
  answerEvents(turn: SaidTurn, request: ModelRequest, sequence: number): readonly ServerEvent[];
  /** The answer to a question about a request's size, where the API has one. */
  countsTokens?(path: string): Json | undefined;
}

/** One server-sent event; `data` that is a string is sent as it is. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: Json | string;
}

export const USUAL_USAGE: ScriptedUsage = { promptTokens: 100, completionTokens: 10 };

/** `user` and `assistant` under the names that APIs give them; every other speaker is the program's own. */
export function roleOf(role: unknown): ModelMessage['role'] {
  if (role === 'user' || role === 'tool') return role;
  return role === 'assistant' || role === 'model' ? 'assistant' : 'system';
}

/** The text of a string, of one part, or of many: members without text are passed over. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  const text = (content as { text?: unknown } | null | undefined)?.text;
  return typeof text === 'string' ? text : '';
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
