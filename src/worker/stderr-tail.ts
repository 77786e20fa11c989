import type { Readable } from 'node:stream';
import { eventText } from './events.ts';

/** Enough that a secret at the cut is still seen whole by redaction. */
const KEPT_BYTES = 32 * 1024;
const SHOWN_BYTES = 2 * 1024;

/** The end of what a worker wrote to stderr, however much it was, and of what it wrote to stdout that is no protocol. */
export class StderrTail {
  #kept = Buffer.alloc(0);
  #noise: string[] = [];
  #unread = 0;

  constructor(stderr: Readable) {
    stderr.on('data', (chunk: Buffer) => {
      this.#unread += chunk.length;
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    });
  }

  /** A line that appeared on stdout but is no protocol: a stack trace, say. */
  noise(line: string): void {
    this.#noise.push(line);
    if (this.#noise.length > 20) this.#noise.shift();
  }

  /** The last lines, redacted; empty when there were none. */
  last(hide: (text: string) => string): string {
    const text = this.#kept.length > 0 ? this.#kept.toString('utf8') : this.#noise.join('\n');
    return tail(eventText(hide(text), KEPT_BYTES).trim());
  }

  /** What came since the last call of this function, or nothing. */
  news(hide: (text: string) => string): string | undefined {
    if (this.#unread === 0) return undefined;
    const text = eventText(hide(this.#kept.subarray(-this.#unread).toString('utf8')), KEPT_BYTES);
    this.#unread = 0;
    return tail(text.trim()) || undefined;
  }
}

function tail(text: string): string {
  if (text.length <= SHOWN_BYTES) return text;
  const cut = text.slice(-SHOWN_BYTES);
  return `… ${cut.slice(cut.indexOf('\n') + 1)}`;
}
