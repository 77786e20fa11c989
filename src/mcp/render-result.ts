/** What a client gets: an output twice (text and structure, equal), or an error that a program can read, without structure. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { newErrorId, type OperationDefinition } from '../app/index.ts';
import { type Log, RemitError, redact, visibleLine, visibleText } from '../base/index.ts';
import type { Caller } from './caller.ts';

const MAX_ERROR_BYTES = 65_536;
const MAX_MESSAGE_CHARACTERS = 8_192;
const MAX_CAUSES = 5;

/** A lone surrogate as `JSON.stringify` writes it; some parsers (serde, in Codex) refuse the whole line for one. */
const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/i;

export function renderOutput(output: object, definition: OperationDefinition, log: Log): CallToolResult {
  const checked = definition.output.safeParse(output);
  if (!checked.success) {
    log('error', 'an output does not match its schema', {
      tool: definition.name,
      issues: checked.error.issues.slice(0, 5),
    });
  }
  const text = wellFormedJson(output);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

export interface ErrorContext {
  readonly tool: string;
  readonly caller: Caller;
  readonly log: Log;
  readonly cancelled: boolean;
}

export function renderError(thrown: unknown, context: ErrorContext): CallToolResult {
  const error = thrown instanceof RemitError && thrown.code !== 'internal_error' ? thrown : unforeseen(thrown, context);
  const { code, retryable, nextAction: next_action, details } = error;
  const message = visibleText(error.message).slice(0, MAX_MESSAGE_CHARACTERS);
  const facts = { code, message, retryable, next_action, ...(details && { details: boundedDetails(details) }) };
  const text = revalidatesErrors(context.caller) ? asSentence(facts) : wellFormedJson({ error: facts });
  return { content: [{ type: 'text', text }], isError: true };
}

/** The caller learns an id that is also in the log; stack and paths of this machine stay there. */
function unforeseen(thrown: unknown, { tool, log, cancelled }: ErrorContext): RemitError {
  const errorId = newErrorId();
  // A wait that its own caller ended is no fault.
  log(cancelled ? 'debug' : 'error', 'a call failed unforeseen', {
    error_id: errorId,
    tool,
    error: redact(storyOf(thrown)),
  });
  // A message of ours was written for the caller; any other may hold a path of this machine.
  const what = thrown instanceof RemitError ? thrown.message : 'something unforeseen went wrong';
  return new RemitError(
    'internal_error',
    `Inside Remit: ${what}. The operator finds it in the log by the id ${errorId}; reasonix_inspect shows whether the task is affected.`,
    { details: { error_id: errorId } },
  );
}

/** The stack of an error and of its causes, which may point at each other. */
function storyOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return visibleLine(String(thrown));
  const story = thrown.stack ?? thrown.message;
  if (thrown.cause === undefined || depth === MAX_CAUSES) return story;
  return `${story}\ncaused by: ${storyOf(thrown.cause, depth + 1)}`;
}

/**
 * Gemini CLI parses the text of an error and validates it against the output schema; of JSON it shows only that it does
 * not match, so the code and the advice would be lost.
 */
function revalidatesErrors({ name }: Caller): boolean {
  return /gemini/i.test(name);
}

interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly next_action: string;
  readonly details?: Record<string, unknown>;
}

function asSentence({ code, message, retryable, next_action, details }: ErrorFacts): string {
  const known = details === undefined ? '' : ` Details: ${wellFormedJson(details)}`;
  return `Error ${code} (${retryable ? 'retryable' : 'not retryable'}, next action: ${next_action}): ${message}${known}`;
}

/** Lists are shortened, and said to be, until the details fit into one answer. */
function boundedDetails(details: Record<string, unknown>): Record<string, unknown> {
  let bounded = details;
  while (wellFormedJson(bounded).length > MAX_ERROR_BYTES / 2) {
    const longest = Object.entries(bounded)
      .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 1)
      .toSorted(([, a], [, b]) => b.length - a.length)[0];
    if (longest === undefined) return { omitted: 'the details are too large for an answer' };
    const [name, list] = longest;
    bounded = { ...bounded, [name]: list.slice(0, Math.floor(list.length / 2)), shortened: true };
  }
  return bounded;
}

function wellFormedJson(value: object): string {
  const text = JSON.stringify(value);
  if (!LONE_SURROGATE.test(text)) return text;
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'string' && !member.isWellFormed() ? visibleText(member) : member,
  );
}
