/** How much of each request to a model repeats the request before it, byte for byte from the beginning. */
import type { ModelRequest } from '../../test/model/script.ts';

/** One request of chat completions, in the order in which a provider's cache sees it. */
export interface SentRequest {
  /** The tools and the system text, which stand before everything that was said. */
  readonly head: string;
  /** Every other message. */
  readonly said: string;
}

export interface RequestShare {
  /** From 1. */
  readonly request: number;
  readonly bytes: number;
  /** The part of this request's bytes that are those of the request before. */
  readonly share: number;
  /** The part of the bytes of the request before that stand here again: 1 when nothing of it was changed or left out. */
  readonly kept: number;
}

/**
 * Tools, system text and messages, each as the very JSON that was sent; the brackets that close a list are left out, since
 * they move with every message. What else a body holds (the model's name, `stream`) is no part of what a provider caches.
 */
export function readSent({ body, headers }: Pick<ModelRequest, 'body' | 'headers'>): SentRequest {
  // What was read from JSON gives the same bytes again, or this measures something that was never sent.
  const sentBytes = Number(headers['content-length']);
  if (Buffer.byteLength(JSON.stringify(body)) !== sentBytes) throw new Error('a request is not the JSON that was read');
  const messages = (body['messages'] as readonly { role: string }[]).map((message) => JSON.stringify(message));
  return { head: `${JSON.stringify(body['tools'])}\n${messages[0]}\n`, said: messages.slice(1).join(',') };
}

/** Of each request but the first. */
export function prefixShares(requests: readonly SentRequest[]): RequestShare[] {
  const texts = requests.map(({ head, said }) => Buffer.from(head + said));
  return texts.slice(1).map((text, at) => {
    const before = texts[at] as Buffer;
    const repeated = commonPrefix(before, text);
    return { request: at + 2, bytes: text.length, share: repeated / text.length, kept: repeated / before.length };
  });
}

function commonPrefix(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
