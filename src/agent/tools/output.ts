import { visibleLine } from '../../base/index.ts';

/** The most that one call tells a model, apart from a closing sentence. */
export const OUTPUT_BYTES = 32 * 1024;

/** Of a line that is shown as one of many. */
const LINE_CHARACTERS = 400;

export interface Page {
  readonly lines: readonly string[];
  /** How many of all were passed over or shown, from the first on. */
  readonly next: number;
}

/** From `offset` as many lines as fit, at most `most`. */
export function pageOf(all: readonly string[], offset: number, most: number): Page {
  const lines: string[] = [];
  let bytes = 0;
  for (const line of all.slice(offset, offset + most)) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > OUTPUT_BYTES) break;
    lines.push(line);
  }
  return { lines, next: offset + lines.length };
}

/** A listing with the sentence that says how to get the rest. `complete` is false when the search itself was cut short. */
export function listing(all: readonly string[], offset: number, most: number, cut?: string): string {
  const { lines, next } = pageOf(all, offset, most);
  const rest = next < all.length ? [`[${next - offset} of ${all.length} shown; the rest with offset ${next}]`] : [];
  return [...lines, ...rest, ...(cut === undefined ? [] : [`[${cut}]`])].join('\n');
}

/** A line of a file among others, short and without what would look like another line. */
export function shortLine(line: string): string {
  const shown = line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)} [line cut]` : line;
  return shown.toWellFormed();
}

export function shownPath(path: string): string {
  return path === '' ? '.' : visibleLine(path);
}
