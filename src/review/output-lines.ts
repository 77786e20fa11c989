import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { redact, truncateUtf8, visibleLine } from '../base/index.ts';

/** A watcher reads lines; who needs all of it reads the log. */
const MAX_LINE_BYTES = 2_048;
const MAX_LINES = 5_000;

/** Turns a command's output, in whatever chunks it comes, into lines that are safe to show, as many as a watcher can bear. */
export class OutputLines {
  readonly #show: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #shown = 0;

  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  add(chunk: Buffer): void {
    if (this.#shown > MAX_LINES) return;
    const lines = (this.#begun + this.#decoder.write(chunk)).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) this.#give(line);
    if (this.#begun.length > MAX_LINE_BYTES) {
      this.#give(this.#begun);
      this.#begun = '';
    }
  }

  end(): void {
    const rest = this.#begun + this.#decoder.end();
    this.#begun = '';
    if (rest !== '') this.#give(rest);
  }

  #give(line: string): void {
    this.#shown += 1;
    if (this.#shown > MAX_LINES + 1) return;
    const isOver = this.#shown > MAX_LINES;
    this.#show(isOver ? `[more than ${MAX_LINES} lines: the rest is in the log]` : safeLine(line));
  }
}

/** Colours go, since a terminal's own would be lost among them; what else a terminal would obey is shown as an escape. */
function safeLine(line: string): string {
  const text = stripVTControlCharacters(line.replace(/\r$/, ''));
  return truncateUtf8(visibleLine(redact(text)), MAX_LINE_BYTES);
}
