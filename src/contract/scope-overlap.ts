/**
 * Whether two contracts could write one path. Sound: an overlap is never missed. Where the answer would cost too much, or
 * where what a forbidden pattern takes away is not plain, the answer is "they overlap".
 */
import { composed, lowered } from './folding.ts';
import { above, emptyTree, type NameTree, plant, under } from './name-tree.ts';
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
  const folders = forbiddenFolders([...a.forbidden_scope, ...b.forbidden_scope]);
  const budget = { steps: MAX_STEPS };
  const others = emptyTree<WritableForm>();
  for (const other of writableForms(b, folders)) plant(others, plainNames(other.form), other);
  for (const one of writableForms(a, folders)) {
    const names = plainNames(one.form);
    // Two forms that name different folders before their first special segment have no path in common.
    for (const near of [above(others, names), under(others, names)])
      for (const other of near)
        if (formsIntersect(one.form, other.form, budget)) return { pattern: one.pattern, otherPattern: other.pattern };
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

interface WritableForm {
  readonly form: Form;
  readonly pattern: string;
}

function writableForms(scope: ScopePatterns, folders: NameTree<true>): readonly WritableForm[] {
  return scope.write_scope.flatMap((pattern) =>
    readForms(pattern, composed)
      .filter((form) => !liesInFolder(form, folders))
      .map((form) => ({ form, pattern })),
  );
}

/** The folders that are forbidden whole, in lower case: forbidden patterns fold it. Without a name: the whole tree. */
function forbiddenFolders(patterns: readonly string[]): NameTree<true> {
  const folders = emptyTree<true>();
  for (const form of patterns.flatMap((pattern) => readForms(pattern, lowered))) {
    const isFolder = folderOf(form) !== undefined || form.every((segment) => segment.kind === 'deep');
    if (isFolder) plant(folders, plainNames(form), true);
  }
  return folders;
}

function liesInFolder(form: Form, folders: NameTree<true>): boolean {
  return above(folders, plainNames(form).map(lowered)).next().value === true;
}

interface Budget {
  steps: number;
}

interface Kinds<T> {
  readonly isStar: (item: T) => boolean;
  readonly same: (x: T, y: T) => boolean;
}

/** The names with which a form begins, before its first special segment. */
function plainNames(form: Form): readonly string[] {
  const names: string[] = [];
  for (const segment of form) {
    if (segment.kind !== 'text') break;
    names.push(segment.text);
  }
  return names;
}

function formsIntersect(a: Form, b: Form, budget: Budget): boolean {
  const isStar = (segment: Segment) => segment.kind === 'deep';
  return intersect(a, b, { isStar, same: (x, y) => segmentsIntersect(x, y, budget) }, budget);
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
