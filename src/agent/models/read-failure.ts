import { APICallError } from '@ai-sdk/provider';
import { visibleLine } from '../../base/index.ts';
import { shownEndpoint } from './endpoint.ts';
import { AnswerTooLarge, NoStream, RedirectRefused } from './guarded-fetch.ts';
import { ModelFailure } from './model.ts';
import type { ModelChoice } from './settings.ts';

/** Of a refused request: worth another try later. 529: Anthropic is overloaded. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);

/** How providers say that a request is too long; none has a code of its own that all share. */
const TOO_LONG =
  /context[_ ]length|context window|maximum context|prompt is too long|too many (?:input )?tokens|input is too long|exceeds? the (?:available )?context|reduce the length/i;

/** What a failed request means, in one sentence that holds no key. */
export function describeFailure(error: unknown, choice: ModelChoice): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const where = `${choice.provider}:${choice.name} at ${shownEndpoint(choice.baseUrl)}`;
  const redirect = causeOf(error, (cause) => cause instanceof RedirectRefused) as RedirectRefused | undefined;
  if (redirect !== undefined) {
    const target = redirect.origin === undefined ? '' : ` to ${redirect.origin}`;
    return new ModelFailure(
      'final',
      `${where} answered with a redirect${target}, which is not followed: set its base URL to where it really is.`,
    );
  }
  const noStream = causeOf(error, (cause) => cause instanceof NoStream) as NoStream | undefined;
  if (noStream !== undefined) return noAnswer(noStream, where, choice);
  if (causeOf(error, (cause) => cause instanceof AnswerTooLarge) !== undefined)
    return new ModelFailure('final', `${where} gave no usable answer: ${toldBy(error, choice)}`);
  const refused = causeOf(error, (cause) => APICallError.isInstance(cause)) as APICallError | undefined;
  // A status of success stands there too, when the connection broke while the answer was read.
  if (refused?.statusCode !== undefined && refused.statusCode >= 400)
    return refusedRequest(refused, refused.statusCode, where, choice);
  const told = toldBy(error, choice);
  if (TOO_LONG.test(told)) return new ModelFailure('too_long', `${where} says that the request is too long: ${told}`);
  // What is left came from the connection or from an error in mid-stream; both may pass.
  return new ModelFailure('transient', `${where} could not be heard to the end: ${told}`);
}

function refusedRequest(error: APICallError, status: number, where: string, choice: ModelChoice): ModelFailure {
  const told = toldBy(error, choice);
  const sentence = `${where} answered ${status}: ${told}`;
  if (TOO_LONG.test(`${told} ${error.responseBody?.slice(0, 4_000) ?? ''}`) && [400, 413, 422].includes(status))
    return new ModelFailure('too_long', sentence);
  if (TRANSIENT_STATUS.has(status))
    return new ModelFailure('transient', sentence, retryAfter(error.responseHeaders ?? {}));
  return new ModelFailure('final', `${sentence} Next: ${adviceFor(status, choice)}.`);
}

function noAnswer(error: NoStream, where: string, choice: ModelChoice): ModelFailure {
  const sentence = `${where} gave no answer: ${toldBy(error, choice)}`;
  if (error.status !== undefined && TRANSIENT_STATUS.has(error.status)) return new ModelFailure('transient', sentence);
  return new ModelFailure('final', `${sentence} Next: ${adviceFor(error.status ?? 404, choice)}.`);
}

function adviceFor(status: number, { keyFrom }: ModelChoice): string {
  if (status === 401 || status === 403)
    return keyFrom === undefined ? 'set the key of this endpoint' : `check the key in ${keyFrom} and what it may use`;
  if (status === 404) return 'check the name of the model and the base URL (most end in /v1)';
  if (status === 402) return 'check the balance of the account';
  return 'check the model, its base URL and what it supports';
}

/** A year: what is longer is no number that anybody means. */
const LONGEST_TOLD_WAIT_MS = 365 * 24 * 3600 * 1000;

/** RFC 9110: seconds or a date; and the milliseconds that some providers send beside it. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] && milliseconds >= 0) return Math.min(milliseconds, LONGEST_TOLD_WAIT_MS);
  const written = headers['retry-after'];
  if (!written) return undefined;
  const seconds = Number(written);
  if (seconds >= 0) return Math.min(seconds * 1000, LONGEST_TOLD_WAIT_MS);
  const date = Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The provider's own words, on one line, without the key, which some servers repeat. */
function toldBy(error: unknown, { apiKey }: ModelChoice): string {
  const cause = causeOf(error, (one) => one instanceof Error && one.cause === undefined);
  const message = typeof error === 'string' ? error : (messageOf(error) ?? messageOf(cause) ?? 'no reason was given');
  const deeper = messageOf(cause);
  const whole = deeper !== undefined && !message.includes(deeper) ? `${message} (${deeper})` : message;
  const hidden = apiKey ? whole.replaceAll(apiKey, '[key]') : whole;
  const line = visibleLine(hidden).slice(0, 500).trim();
  return /[.!?)]$/.test(line) ? line : `${line}.`;
}

function messageOf(error: unknown): string | undefined {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function causeOf(error: unknown, matches: (cause: unknown) => boolean): unknown {
  let cause: unknown = error;
  for (let depth = 0; depth < 8 && cause !== undefined && cause !== null; depth += 1) {
    if (matches(cause)) return cause;
    cause = (cause as { cause?: unknown }).cause;
  }
  return undefined;
}
