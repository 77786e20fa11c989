/**
 * Whether two contracts could write one path. Sound: an overlap is never missed. Where the answer would cost too much, or
 * where what a forbidden pattern takes away is not plain, the answer is "they overlap".
 */
import { composed, lowered } from './folding.ts';
import type { Form, Segment } from './pattern.ts';
import { folderOf, readForms, type ScopePatterns } from './scope.ts';

export interface Overlap {
  /** The clause of the first contract. */
  readonly pattern: string;
  /** The clause of the second. */
  readonly otherPattern: string;
}

/** Table cells that one comparison may fill; beyond it two patterns are taken to overlap. A fraction of a second's work. */
const MAX_STEPS = 5_000_000;

export function scopesOverlap(a: ScopePatterns, b: ScopePatterns): Overlap | undefined {
  const folders = new Set([...forbiddenFolders(a.forbidden_scope), ...forbiddenFolders(b.forbidden_scope)]);
  const budget = { steps: MAX_STEPS };
  const others = writableForms(b, folders);
  for (const one of writableForms(a, folders)) {
    const other = others.find(({ form }) => formsIntersect(one.form, form, budget));
    if (other) return { pattern: one.pattern, otherPattern: other.pattern };
  }
  return undefined;
}

/** Tells of a write pattern whether the forbidden ones plainly leave nothing of it: each of its forms lies in a forbidden folder. */
export function whollyForbidden(forbidden: readonly string[]): (pattern: string) => boolean {
  const folders = forbiddenFolders(forbidden);
  return (pattern) => {
    const forms = readForms(pattern, composed);
    // The first form is the pattern taken as a plain name, which nobody means where there are others.
    return (forms.length > 1 ? forms.slice(1) : forms).every((form) => liesInFolder(form, folders));
  };
}

function writableForms(
  scope: ScopePatterns,
  folders: ReadonlySet<string>,
): readonly { readonly form: Form; readonly pattern: string }[] {
  return scope.write_scope.flatMap((pattern) =>
    readForms(pattern, composed)
      .filter((form) => !liesInFolder(form, folders))
      .map((form) => ({ form, pattern })),
  );
}

/** The folders that are forbidden whole, in lower case: forbidden patterns fold it. The empty name is the whole tree. */
function forbiddenFolders(patterns: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const form of patterns.flatMap((pattern) => readForms(pattern, lowered))) {
    const folder = folderOf(form);
    if (folder !== undefined) folders.add(folder);
    if (form.every((segment) => segment.kind === 'deep')) folders.add('');
  }
  return folders;
}

function liesInFolder(form: Form, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  let folder = '';
  for (const segment of form) {
    if (segment.kind !== 'text') return false;
    folder = folder === '' ? lowered(segment.text) : `${folder}/${lowered(segment.text)}`;
    if (folders.has(folder)) return true;
  }
  return false;
}

interface Budget {
  steps: number;
}

interface Kinds<T> {
  readonly isStar: (item: T) => boolean;
  readonly same: (x: T, y: T) => boolean;
}

function formsIntersect(a: Form, b: Form, budget: Budget): boolean {
  budget.steps -= 1;
  if (differEarly(a, b)) return false;
  const isStar = (segment: Segment) => segment.kind === 'deep';
  return intersect(a, b, { isStar, same: (x, y) => segmentsIntersect(x, y, budget) }, budget);
}

/** Most pairs of real patterns name different folders before their first special character. */
function differEarly(a: Form, b: Form): boolean {
  for (const [index, x] of a.entries()) {
    const y = b[index];
    if (x.kind !== 'text' || y?.kind !== 'text') return false;
    if (x.text !== y.text) return true;
  }
  return false;
}

function segmentsIntersect(a: Segment, b: Segment, budget: Budget): boolean {
  if (a.kind === 'deep' || b.kind === 'deep') return true;
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text;
  return intersect(letters(a), letters(b), { isStar: (letter) => letter === '*', same: sameLetter }, budget);
}

/** `*` and `?` are special only in a wild segment; a name's own are marked, so that they stay letters. */
function letters(segment: Exclude<Segment, { kind: 'deep' }>): string[] {
  const all = Array.from(segment.text);
  return segment.kind === 'wild'
    ? all
    : all.map((letter) => (letter === '*' || letter === '?' ? `\\${letter}` : letter));
}

function sameLetter(a: string, b: string): boolean {
  return a === b || a === '?' || b === '?';
}

/**
 * Whether two sequences with stars have a common reading. `row[j]` says that the first i of `a` and the first j of `b` can
 * stand for the same thing; a star stands for nothing, or for whatever the other side has next.
 */
function intersect<T>(a: readonly T[], b: readonly T[], kinds: Kinds<T>, budget: Budget): boolean {
  budget.steps -= (a.length + 1) * (b.length + 1);
  if (budget.steps < 0) return true;
  let above: boolean[] = [];
  for (let i = 0; i <= a.length; i += 1) {
    const row: boolean[] = [];
    for (let j = 0; j <= b.length; j += 1) {
      const [x, y] = [a[i - 1], b[j - 1]];
      if (i === 0 && j === 0) row.push(true);
      else if ((x !== undefined && kinds.isStar(x)) || (y !== undefined && kinds.isStar(y)))
        row.push(Boolean(above[j] || row[j - 1]));
      else row.push(x !== undefined && y !== undefined && Boolean(above[j - 1]) && kinds.same(x, y));
    }
    above = row;
  }
  return Boolean(above[b.length]);
}
