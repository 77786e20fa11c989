/** What a well-formed contract may still get wrong: names that clash or point nowhere, and duties that cannot be met. */
import { commandProblems, type DenyCommand } from './command-problems.ts';
import { type Draft, type Entry, listOf } from './draft.ts';
import { nearest } from './nearest.ts';
import { expandBraces, isLiteral, MAX_LIST_ALTERNATIVES } from './pattern.ts';
import { type Finding, type Problem, problem } from './problem.ts';
import { compileScope, type Scope } from './scope.ts';
import { whollyForbidden } from './scope-overlap.ts';

const MAX_ASSERTION_BYTES = 65_536;

/**
 * `input` is what the draft was read from: a reference to an entry that is wrong in itself is no second problem.
 * Ids are unique within their own list only: evidence names the kind beside the id.
 */
export function meaningProblems(draft: Draft, input: unknown, denyCommand?: DenyCommand): Finding[] {
  return [
    ...[draft.acceptance_criteria, draft.verification, draft.allowed_commands, draft.file_assertions].flatMap(
      repeatedIds,
    ),
    ...scopeProblems(draft, draft.write_scope.length === listOf(input, 'write_scope').length),
    ...proofProblems(draft, input),
    ...unprovenCriteria(draft, input),
    ...draft.verification.flatMap((entry) => commandProblems(entry, denyCommand)),
    ...draft.allowed_commands.flatMap((entry) => commandProblems(entry)),
    ...contentProblems(draft),
  ];
}

export function values<T>(entries: readonly Entry<T>[]): T[] {
  return entries.map(({ value }) => value);
}

function repeatedIds(entries: readonly Entry<{ readonly id: string }>[]): Problem[] {
  return repeats(entries, ({ id }) => id).map(({ entry, first }) =>
    problem(`${entry.at}.id`, `repeats the id "${entry.value.id}" of ${first.at}`, 'Give each entry its own id.'),
  );
}

function repeatedPatterns(entries: readonly Entry<string>[]): Problem[] {
  return repeats(entries, (pattern) => pattern).map(({ entry, first }) =>
    problem(entry.at, `repeats ${first.at}`, 'Remove one of the two.'),
  );
}

function repeats<T>(entries: readonly Entry<T>[], key: (value: T) => string) {
  const seen = new Map<string, Entry<T>>();
  return entries.flatMap((entry) => {
    const first = seen.get(key(entry.value));
    if (first) return [{ entry, first }];
    seen.set(key(entry.value), entry);
    return [];
  });
}

/** `isComplete`: no entry of write_scope is wrong in itself, so a path outside the others is truly outside. */
function scopeProblems(draft: Draft, isComplete: boolean): Problem[] {
  const costly = costProblems(draft);
  if (costly.length > 0) return costly;
  const forbidden = values(draft.forbidden_scope);
  const scope = compileScope({ write_scope: values(draft.write_scope), forbidden_scope: forbidden });
  const isNothing = whollyForbidden(forbidden);
  return [
    ...[draft.write_scope, draft.forbidden_scope].flatMap(repeatedPatterns),
    ...draft.write_scope.flatMap((entry) => unwritablePattern(entry, scope, isNothing)),
    ...draft.file_assertions.flatMap((entry) => unwritableAssertion(entry, scope, isComplete)),
  ];
}

/** Letters of paths times letters of globs that lint compares at most: a second's work when they are made to be slow. */
const MAX_COMPARED_LETTERS = 2 ** 28;

/** Patterns that together cost too much to compare with each other; nothing further is said of such scopes. */
function costProblems({ write_scope, forbidden_scope, file_assertions }: Draft): Problem[] {
  const large = Object.entries({ write_scope, forbidden_scope }).filter(
    ([, entries]) => alternativesOf(entries).length > MAX_LIST_ALTERNATIVES,
  );
  if (large.length > 0)
    return large.map(([field]) =>
      problem(field, `spells out more than ${MAX_LIST_ALTERNATIVES} alternatives`, 'Name folders instead.'),
    );
  const written = countLetters(values(write_scope).filter(isLiteral));
  const asserted = countLetters(file_assertions.map(({ value }) => value.path));
  const forbidden = countLetters(globsOf(forbidden_scope));
  const compared = (written + asserted) * forbidden + asserted * countLetters(globsOf(write_scope));
  if (compared <= MAX_COMPARED_LETTERS) return [];
  return [problem('', 'has too many long patterns to compare with its paths', 'Name folders instead.')];
}

function globsOf(entries: readonly Entry<string>[]): string[] {
  return alternativesOf(entries).filter((alternative) => /[*?]/.test(alternative));
}

function alternativesOf(entries: readonly Entry<string>[]): string[] {
  return entries.flatMap(({ value }) => expandBraces(value) ?? []);
}

function countLetters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** A plain path that is forbidden, or a pattern of which nothing is left, is a promise and its opposite. */
function unwritablePattern(
  { at, value }: Entry<string>,
  scope: Scope,
  isNothing: (pattern: string) => boolean,
): Problem[] {
  if (!isLiteral(value)) return isNothing(value) ? [neverWritten(at, 'forbidden_scope')] : [];
  const verdict = scope.classify(value);
  return verdict.kind === 'forbidden' ? [neverWritten(at, `"${verdict.pattern}" in forbidden_scope`)] : [];
}

function neverWritten(at: string, clause: string): Problem {
  return problem(at, `can never be written: ${clause} forbids it`, 'Narrow forbidden_scope, or remove this entry.');
}

function proofProblems(draft: Draft, input: unknown): Finding[] {
  const ids = listOf(input, 'acceptance_criteria').map((criterion) => propertyOf(criterion, 'id'));
  const known = new Set(ids.filter((id) => typeof id === 'string'));
  return [...draft.verification, ...draft.file_assertions].flatMap(({ at, value }) =>
    value.proves.flatMap((id, index): Finding[] => {
      const place = `${at}.proves[${index}]`;
      if (!known.has(id))
        return [{ path: place, message: `names no acceptance criterion: "${id}"`, hint: () => knownIds(id, known) }];
      return value.proves.indexOf(id) < index ? [problem(place, `repeats "${id}"`, 'Name each criterion once.')] : [];
    }),
  );
}

function unprovenCriteria(draft: Draft, input: unknown): Problem[] {
  const provers = [...listOf(input, 'verification'), ...listOf(input, 'file_assertions')];
  const proven = new Set(provers.flatMap((prover) => listOf(prover, 'proves')));
  const unproven = draft.acceptance_criteria.filter(
    ({ value }) => value.evidence === 'automated' && !proven.has(value.id),
  );
  return unproven.map(({ at, value }) =>
    problem(
      at,
      `is automated, but nothing proves "${value.id}"`,
      'Name it in "proves" of a verification or file assertion, or set its evidence to "review".',
    ),
  );
}

function unwritableAssertion(
  { at, value }: Entry<{ readonly path: string }>,
  scope: Scope,
  isComplete: boolean,
): Problem[] {
  const verdict = scope.classify(value.path);
  if (verdict.kind === 'forbidden')
    return [problem(`${at}.path`, `can never be written: "${verdict.pattern}" forbids it`, 'Narrow forbidden_scope.')];
  if (verdict.kind === 'in_scope' || !isComplete) return [];
  return [problem(`${at}.path`, 'lies outside write_scope', 'Add the file to write_scope.')];
}

function contentProblems({ file_assertions: assertions }: Draft): Problem[] {
  const large = assertions.filter(({ value }) => Buffer.byteLength(value.expected_utf8) > MAX_ASSERTION_BYTES);
  const twice = repeats(assertions, ({ path }) => path).filter(
    ({ entry, first }) => entry.value.expected_utf8 !== first.value.expected_utf8,
  );
  return [
    ...large.map(({ at }) => problem(`${at}.expected_utf8`, `is larger than ${MAX_ASSERTION_BYTES} bytes`)),
    ...twice.map(({ entry, first }) => problem(entry.at, `expects another content of the same file than ${first.at}`)),
  ];
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function knownIds(id: string, known: ReadonlySet<string>): string {
  const meant = nearest(id, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const names = [...known];
  if (names.length === 0) return 'There is no criterion with an id.';
  return `Known: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`;
}
