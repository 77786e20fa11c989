import { z } from 'zod';

/** Lines of a file, both ends included, counted from 1. */
export const lineRangeSchema = z
  .strictObject({
    from: z.int().min(1).describe('First line, from 1.'),
    to: z.int().min(1).describe('Last line, included.'),
  })
  .describe('Lines of a file.');

export type LineRange = z.infer<typeof lineRangeSchema>;

/** All lines of a file of so many. */
export function allLines(total: number): LineRange[] {
  return total < 1 ? [] : [{ from: 1, to: total }];
}

/** The same lines as few ranges in order; a range that ends before it begins has none. */
export function mergeRanges(ranges: readonly LineRange[]): LineRange[] {
  const merged: LineRange[] = [];
  for (const { from, to } of [...ranges].filter((range) => range.to >= range.from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to + 1)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else merged.push({ from, to });
  }
  return merged;
}

/** The lines of `wanted` that are in none of `shown`. */
export function uncoveredLines(wanted: readonly LineRange[], shown: readonly LineRange[]): LineRange[] {
  let rest = mergeRanges(wanted);
  for (const { from, to } of mergeRanges(shown)) {
    rest = rest.flatMap((range) => [
      { from: range.from, to: Math.min(range.to, from - 1) },
      { from: Math.max(range.from, to + 1), to: range.to },
    ]);
    rest = mergeRanges(rest);
  }
  return rest;
}

export function countLines(ranges: readonly LineRange[]): number {
  return mergeRanges(ranges).reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** For a sentence: `line 4`, `lines 4-9, 12`. */
export function describeLines(ranges: readonly LineRange[]): string {
  const parts = mergeRanges(ranges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return `${countLines(ranges) === 1 ? 'line' : 'lines'} ${parts.join(', ')}`;
}
