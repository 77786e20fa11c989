/** Decoded, of one answer: far more than any model says, with what its stream wraps around each word. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
/** Of a refusal or of what is no stream of events; the rest says nothing new. */
const MOST_REFUSAL_BYTES = 64 * 1024;

/** An answer in time of nothing but a stream of events, of no more bytes than an answer has, from nobody but the endpoint. */
export const guardedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel().catch(() => {});
    throw new RedirectRefused(response.headers.get('location') ?? undefined);
  }
  if (!response.ok) return bounded(response, cutAt(MOST_REFUSAL_BYTES));
  if (/json|html/.test(response.headers.get('content-type') ?? ''))
    throw new NoStream(await bounded(response, cutAt(MOST_REFUSAL_BYTES)).text());
  return bounded(response, failingAt(MOST_ANSWER_BYTES));
};

function bounded(response: Response, bound: TransformStream<Uint8Array, Uint8Array>): Response {
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(bound) ?? null, { status, statusText, headers });
}

function cutAt(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}

function failingAt(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new AnswerTooLarge(most));
      else controller.enqueue(chunk);
    },
  });
}

/** A redirect is never followed: it would carry the key and the conversation to whoever the answer names. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
  /** The origin that it points to, when that is one. */
  readonly origin: string | undefined;

  constructor(location: string | undefined) {
    super('the endpoint answered with a redirect');
    this.origin = location === undefined ? undefined : URL.parse(location)?.origin;
  }
}

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor(most: number) {
    super(`the answer is larger than ${most} bytes`);
  }
}

/** An endpoint said yes, and then no stream of events: a page of a proxy, or a refusal with the wrong status. */
export class NoStream extends Error {
  override readonly name = 'NoStream';
  /** The status that stands in the body, as some gateways put it there. */
  readonly status: number | undefined;

  constructor(body: string) {
    const { error } = (jsonOf(body) ?? {}) as { error?: { message?: unknown; code?: unknown } | string };
    const { message = error, code } = typeof error === 'object' && error !== null ? error : {};
    super(typeof message === 'string' ? message : `no stream of events but ${body.slice(0, 200)}`);
    this.status = typeof code === 'number' ? code : undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
