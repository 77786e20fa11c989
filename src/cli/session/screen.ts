import type { WriteStream } from 'node:tty';
import { type Style, styleFor, widthFor } from '../terminal.ts';
import { LiveArea } from './live-area.ts';

/** Where a session talks to its person. */
export interface Screen {
  readonly style: Style;
  /** Columns of a line; no limit where there is no terminal. */
  readonly width: number;
  readonly rows: number;
  /** Lines that stay. */
  say(lines: readonly string[]): void;
  /** What is redrawn below them until `rest`; where nothing can be redrawn, a state is told once. */
  live(paint: () => readonly string[], state: string): void;
  rest(): void;
}

/** On a terminal: lines that stay, and below them lines that are redrawn. */
export async function terminalScreen(stream: WriteStream): Promise<Screen> {
  const style = styleFor(stream, process.env);
  const area = await LiveArea.open(stream);
  return {
    style,
    get width() {
      return widthFor(stream);
    },
    get rows() {
      return stream.rows ?? 24;
    },
    say: (lines) => area.above(lines.map((line) => `${line}\n`).join('')),
    live: (paint) => area.show(paint),
    rest: () => area.hide(),
  };
}

/** Seldom enough for a log, often enough to see that it lives. */
const SIGN_OF_LIFE_MS = 60_000;

/** In a pipe or a file: plain lines, each state that the task comes to, and now and then the numbers. */
export function plainScreen(stream: NodeJS.WriteStream): Screen {
  let told = '';
  let clock: NodeJS.Timeout | undefined;
  const write = (line: string) => stream.write(`${line}\n`);
  const rest = () => clearInterval(clock);
  return {
    style: styleFor({}, {}),
    width: Number.POSITIVE_INFINITY,
    rows: Number.POSITIVE_INFINITY,
    say: (lines) => lines.forEach(write),
    live: (paint, state) => {
      if (state !== told) write(state);
      told = state;
      rest();
      clock = setInterval(() => write(paint()[0] ?? state), SIGN_OF_LIFE_MS);
    },
    rest,
  };
}

/** For a program that reads one JSON object and nothing else. */
export function silentScreen(): Screen {
  return { ...plainScreen(process.stderr), say: () => {}, live: () => {} };
}
