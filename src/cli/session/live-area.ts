import type { WriteStream } from 'node:tty';
import stringWidth from 'string-width';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const UP_AND_ERASE_BELOW = (rows: number) => `\u001b[${rows}A\r\u001b[J`;

/** Often enough for a clock, and for news that come by the hundred not more often than a terminal can draw. */
const CLOCK_MS = 1_000;
const NEWS_MS = 80;

type Draw = ((text: string) => void) & { clear(): void; done(): void };

/** The last lines of a terminal, redrawn in place, below whatever else is written through it. */
export class LiveArea {
  readonly #stream: WriteStream;
  readonly #draw: Draw;
  #paint: (() => readonly string[]) | undefined;
  #drawn: readonly string[] = [];
  #columns: number;
  #clock: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  readonly #onResize = () => this.#resized();
  readonly #onExit = () => this.#stream.write(SHOW_CURSOR);

  private constructor(stream: WriteStream, draw: Draw) {
    this.#stream = stream;
    this.#draw = draw;
    this.#columns = stream.columns;
  }

  static async open(stream: WriteStream): Promise<LiveArea> {
    const { createLogUpdate } = await import('log-update');
    // It would hide the cursor through hooks on signals of its own; this session has to decide about those.
    return new LiveArea(stream, createLogUpdate(stream, { showCursor: true }));
  }

  /** Keeps these lines up to date from now on. */
  show(paint: () => readonly string[]): void {
    const begins = this.#paint === undefined;
    this.#paint = paint;
    if (begins) this.#begin();
    else this.#redrawSoon();
  }

  #begin(): void {
    this.#columns = this.#stream.columns;
    this.#stream.write(HIDE_CURSOR);
    this.#stream.on('resize', this.#onResize);
    process.on('exit', this.#onExit);
    this.#clock = setInterval(() => this.#redraw(), CLOCK_MS);
    this.#redraw();
  }

  /** Takes the lines away. */
  hide(): void {
    if (this.#paint === undefined) return;
    this.#paint = undefined;
    clearInterval(this.#clock);
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#stream.off('resize', this.#onResize);
    process.off('exit', this.#onExit);
    this.#clear();
    this.#stream.write(SHOW_CURSOR);
  }

  /** Writes what stays, above the lines that are redrawn. */
  above(text: string): void {
    if (text === '') return;
    this.#clear();
    this.#stream.write(text);
    this.#redraw();
  }

  #redrawSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#redraw();
    }, NEWS_MS);
  }

  #redraw(): void {
    if (this.#paint === undefined) return;
    this.#drawn = this.#paint();
    this.#draw(this.#drawn.join('\n'));
  }

  #clear(): void {
    if (this.#drawn.length > 0) this.#draw.clear();
    this.#drawn = [];
  }

  /** A terminal that becomes narrower breaks the lines that are there: then they take more rows than were written. */
  #resized(): void {
    const columns = Math.max(1, this.#stream.columns);
    if (columns < this.#columns && this.#drawn.length > 0) {
      const rows = this.#drawn.map((line) => Math.max(1, Math.ceil(stringWidth(line) / columns)));
      this.#stream.write(UP_AND_ERASE_BELOW(rows.reduce((sum, each) => sum + each, 0)));
      this.#draw.done();
      this.#drawn = [];
    }
    this.#columns = columns;
    this.#redraw();
  }
}
