import { splitLines } from '../base/index.ts';
import type { LineRange } from './line-ranges.ts';

/** Edits apart further than this are told as one range around them: more to review, never less. */
const MOST_DIFFERENCES = 400;

export interface TextChange {
  readonly changed: readonly LineRange[];
  /** The texts of the lines that came and went, for whoever judges what a change is about. */
  readonly putIn: string;
  readonly takenOut: string;
}

/**
 * The lines of the new content that differ from the old, with their breaks. Where lines were only taken out, the lines
 * beside the cut stand for it: a deletion changes what they mean, and a reader must have looked there.
 */
export function compareTexts(before: string, after: string): TextChange {
  const [old, now] = [splitLines(before), splitLines(after)];
  const start = commonStart(old, now);
  const end = commonEnd(old, now, start);
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const whole = { from: 0, to: newMiddle.length, oldFrom: 0, oldTo: oldMiddle.length };
  const hunks = joined(shortestHunks(oldMiddle, newMiddle) ?? [whole]);
  return {
    changed: merge(hunks.flatMap((hunk) => rangeOf(hunk, start, now.length))),
    putIn: hunks.map(({ from, to }) => newMiddle.slice(from, to).join('')).join(''),
    takenOut: hunks.map(({ oldFrom, oldTo }) => oldMiddle.slice(oldFrom, oldTo).join('')).join(''),
  };
}

/** Lines of the new middle and of the old one, 0-based, `to` excluded; none of the new where lines were only taken out. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly oldFrom: number;
  readonly oldTo: number;
}

/** Lines that went and lines that came at one place are one hunk. */
function joined(hunks: readonly Hunk[]): Hunk[] {
  const all: Hunk[] = [];
  for (const hunk of hunks) {
    const last = all.at(-1);
    if (last?.to === hunk.from && last.oldTo === hunk.oldFrom) {
      all[all.length - 1] = { ...last, to: hunk.to, oldTo: hunk.oldTo };
    } else all.push(hunk);
  }
  return all;
}

function rangeOf({ from, to }: Hunk, start: number, total: number): LineRange[] {
  if (total === 0) return [];
  if (to > from) return [{ from: start + from + 1, to: start + to }];
  return [{ from: Math.max(1, start + from), to: Math.min(total, start + from + 1) }];
}

function merge(ranges: readonly LineRange[]): LineRange[] {
  const merged: LineRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  return merged;
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  let count = 0;
  while (count < old.length && count < now.length && old[count] === now[count]) count += 1;
  return count;
}

function commonEnd(old: readonly string[], now: readonly string[], start: number): number {
  let count = 0;
  const most = Math.min(old.length, now.length) - start;
  while (count < most && old[old.length - 1 - count] === now[now.length - 1 - count]) count += 1;
  return count;
}

/** Myers, "An O(ND) Difference Algorithm and Its Variations" (1986); `undefined` beyond MOST_DIFFERENCES. */
function shortestHunks(old: readonly string[], now: readonly string[]): Hunk[] | undefined {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let depth = 0; depth <= MOST_DIFFERENCES; depth += 1) {
    trace.push(reach);
    const next = new Map(reach);
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = stepsDown(reach, diagonal, depth) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      let y = x - diagonal;
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x += 1;
        y += 1;
      }
      next.set(diagonal, x);
      if (x >= old.length && y >= now.length) return walkBack(trace, old.length, now.length);
    }
    reach = next;
  }
  return undefined;
}

function stepsDown(reach: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean {
  if (diagonal === -depth) return true;
  return diagonal !== depth && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

/** From the end to the beginning along the shortest way: each step is one line put in or taken out. */
function walkBack(trace: readonly ReadonlyMap<number, number>[], oldLength: number, newLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [oldLength, newLength];
  for (let depth = trace.length - 1; depth > 0; depth -= 1) {
    const reach = trace[depth] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const down = stepsDown(reach, diagonal, depth);
    const fromDiagonal = down ? diagonal + 1 : diagonal - 1;
    const fromX = reach.get(fromDiagonal) ?? 0;
    const fromY = fromX - fromDiagonal;
    const [oldTo, to] = down ? [fromX, fromY + 1] : [fromX + 1, fromY];
    hunks.unshift({ from: fromY, to, oldFrom: fromX, oldTo });
    [x, y] = [fromX, fromY];
  }
  return hunks;
}
