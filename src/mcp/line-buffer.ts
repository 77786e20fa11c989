/** Longest line that is read; a contract has at most 1 MiB. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Of a line that is too long only its two ends are kept: clients write a request's id at one of them. */
const KEPT_END_BYTES = 512;

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too_long'; readonly id: string | number | null };

const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines. Holds at most one line and one chunk. */
export class LineBuffer {
  #parts: Buffer[] = [];
  #bytes = 0;
  #tooLong: { head: string; tail: Buffer } | undefined;

  /** The lines that `chunk` completes. */
  *add(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#tooLong !== undefined) {
      this.#tooLong.tail = lastBytes(Buffer.concat([this.#tooLong.tail, lastBytes(part)]));
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= MAX_LINE_BYTES) return;
    const line = Buffer.concat(this.#parts);
    this.#clear();
    this.#tooLong = { head: line.toString('latin1', 0, KEPT_END_BYTES), tail: Buffer.from(lastBytes(line)) };
  }

  #take(): Line {
    const tooLong = this.#tooLong;
    const line = tooLong ? undefined : Buffer.concat(this.#parts).toString('utf8');
    this.#clear();
    if (tooLong) return { kind: 'too_long', id: idAtAnEnd(tooLong.head, tooLong.tail.toString('latin1')) };
    return { kind: 'line', text: line ?? '' };
  }

  #clear(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#tooLong = undefined;
  }
}

function lastBytes(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - KEPT_END_BYTES));
}

const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Inside a string each quote would stand behind a backslash, so what matches is a member of the message itself. */
function idAtAnEnd(head: string, tail: string): string | number | null {
  const found = (ID_FIRST.exec(head) ?? ID_LAST.exec(tail))?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
