import { createHash } from 'node:crypto';

/** What was kept of one output stream. */
export interface CapturedOutput {
  /** At most the limit: everything, or head and tail with a line between them that says how many bytes were left out. */
  readonly bytes: Buffer;
  /** Bytes that were written, kept or not. */
  readonly totalBytes: number;
  /** Lower-case hexadecimal SHA-256 of everything that was written. */
  readonly sha256: string;
  readonly truncated: boolean;
}

/** The longest marker: two newlines, the words and a 16-digit count. */
const MARKER_BYTES = 64;

/** Keeps the beginning and the end of a stream in bounded memory; counts and digests all of it. */
export class OutputCapture {
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #ring: Buffer | undefined;
  #ringBytes = 0;
  #total = 0;

  /** `limit` in bytes; at most one and a half times as much is held. */
  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
  }

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#total += chunk.length;
    const forHead = Math.min(chunk.length, this.#limit - this.#headBytes);
    // A copy: a small slice would keep the whole chunk of the reader alive.
    if (forHead > 0) this.#head.push(Buffer.from(chunk.subarray(0, forHead)));
    this.#headBytes += forHead;
    if (forHead < chunk.length) this.#addToRing(chunk.subarray(forHead));
  }

  finish(): CapturedOutput {
    const truncated = this.#total > this.#limit;
    return {
      bytes: truncated ? this.#headAndTail() : Buffer.concat(this.#head),
      totalBytes: this.#total,
      sha256: this.#hash.copy().digest('hex'),
      truncated,
    };
  }

  get #tailLimit(): number {
    return Math.max(0, Math.floor((this.#limit - MARKER_BYTES) / 2));
  }

  #addToRing(rest: Buffer): void {
    const size = this.#tailLimit;
    if (size === 0) return;
    this.#ring ??= Buffer.alloc(size);
    const last = rest.subarray(Math.max(0, rest.length - size));
    const at = (this.#ringBytes + rest.length - last.length) % size;
    const untilEnd = last.copy(this.#ring, at);
    last.copy(this.#ring, 0, untilEnd);
    this.#ringBytes += rest.length;
  }

  #headAndTail(): Buffer {
    const head = Buffer.concat(this.#head);
    const tailBytes = this.#tailLimit;
    const headBytes = this.#limit - MARKER_BYTES - tailBytes;
    if (tailBytes === 0) return head;
    const tail = Buffer.concat([head, this.#ringInOrder()]).subarray(-tailBytes);
    const marker = `\n[${this.#total - headBytes - tailBytes} bytes left out]\n`;
    return Buffer.concat([head.subarray(0, headBytes), Buffer.from(marker), tail]);
  }

  #ringInOrder(): Buffer {
    if (this.#ring === undefined) return Buffer.alloc(0);
    if (this.#ringBytes <= this.#ring.length) return this.#ring.subarray(0, this.#ringBytes);
    const start = this.#ringBytes % this.#ring.length;
    return Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, start)]);
  }
}
