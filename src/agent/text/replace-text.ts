import { commonBreak, type LineBreak, splitLines, withoutBreak } from '../../base/index.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** Every occurrence instead of exactly one. */
  readonly all: boolean;
}

export type Replaced =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  /** `similarLine`: where the same words stand with other white space; 1-based. */
  | { readonly kind: 'not_found'; readonly similarLine?: number }
  | { readonly kind: 'ambiguous'; readonly count: number; readonly lines: readonly number[] };

/** More places than this are not counted. */
const MOST_PLACES = 10_000;

/**
 * Replaces an exact text. Line breaks are compared as equal, whichever the file has, since a model writes `\n`; what it
 * writes gets the breaks of the place where it goes, so that a file never mixes them by an edit. What is not
 * replaced stays byte for byte.
 */
export function replaceText(original: string, { oldText, newText, all }: Replacement): Replaced {
  const plain = original.replaceAll('\r\n', '\n');
  const wanted = oldText.replaceAll('\r\n', '\n');
  const places = findAll(plain, wanted, all ? wanted.length : 1);
  if (places.length === 0) return notFound(plain, wanted);
  if (places.length > 1 && !all) {
    return { kind: 'ambiguous', count: places.length, lines: places.map((place) => lineAt(plain, place)) };
  }
  const toOriginal = offsetsIn(original);
  const inserted = newText.replaceAll('\r\n', '\n');
  let text = '';
  let done = 0;
  for (const place of places) {
    const [start, end] = [toOriginal(place), toOriginal(place + wanted.length)];
    text += original.slice(done, start) + likeItsPlace(inserted, original, start, end);
    done = end;
  }
  return { kind: 'replaced', text: text + original.slice(done), count: places.length };
}

function findAll(text: string, wanted: string, step: number): number[] {
  const places: number[] = [];
  if (wanted === '') return places;
  for (let at = text.indexOf(wanted); at >= 0 && places.length < MOST_PLACES; at = text.indexOf(wanted, at + step)) {
    places.push(at);
  }
  return places;
}

/** From an offset in the text with plain breaks to the one in the text as it is. */
function offsetsIn(original: string): (offset: number) => number {
  const carriages: number[] = [];
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2)) {
    carriages.push(at - carriages.length);
  }
  return (offset) => offset + countBelow(carriages, offset);
}

/** How many of the ascending numbers are smaller than the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first new break takes the first old one's form and so on; the rest what stands next to it. */
function likeItsPlace(inserted: string, original: string, start: number, end: number): string {
  const before = breaksOf(original.slice(start, end));
  const other = before.at(-1) ?? nextBreak(original, end) ?? commonBreak(original) ?? '\n';
  let at = 0;
  return inserted.replaceAll('\n', () => {
    at += 1;
    return before[at - 1] ?? other;
  });
}

function breaksOf(text: string): LineBreak[] {
  return [...text.matchAll(/\r?\n/g)].map(([found]) => found as LineBreak);
}

function nextBreak(text: string, from: number): LineBreak | undefined {
  const at = text.indexOf('\n', from);
  if (at < 0) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Wrong indentation is the usual mistake, and the place is what a model needs to correct it. */
function notFound(plain: string, wanted: string): Replaced {
  const squeeze = (text: string) => splitLines(text).map((line) => withoutBreak(line).trim().replace(/\s+/g, ' '));
  const [lines, sought] = [squeeze(plain), squeeze(wanted)];
  if (sought.every((line) => line === '')) return { kind: 'not_found' };
  const at = lines.findIndex((_, start) => sought.every((line, index) => lines[start + index] === line));
  return at < 0 ? { kind: 'not_found' } : { kind: 'not_found', similarLine: at + 1 };
}
