/**
 * Which side of a contract's boundary a path stands on. Never looks at the disk. A path here is a fact that Git reported:
 * it may hold a backslash, `!`, a newline, a trailing space or a raw byte, and is classified, never refused.
 */
import { RemitError } from '../base/index.ts';
import { composed, exactly, folded, isAscii, isGitControlName, lowered, type Reading } from './folding.ts';
import { type Form, patternForms } from './pattern.ts';
import { matchesForm } from './pattern-match.ts';

export interface ScopePatterns {
  readonly write_scope: readonly string[];
  readonly forbidden_scope: readonly string[];
}

/** `pattern` is the clause of the contract that decided, as it is written there; `.git` is forbidden in every contract. */
export type ScopeVerdict =
  | { readonly kind: 'in_scope'; readonly pattern: string }
  | { readonly kind: 'forbidden'; readonly pattern: string }
  | { readonly kind: 'outside' };

export interface Scope {
  /** `path` is repository-relative with `/` between its segments. What is no such path is outside. */
  classify(path: string): ScopeVerdict;
}

type Matcher = (path: string) => string | undefined;

/**
 * Compiles the patterns of a contract. Forbidden wins over writable, and is read in every way that a disk may read a name;
 * writable is read with Unicode composition only, since two canonically equivalent spellings are one name to a person.
 * Throws `invalid_contract` for a pattern with too many alternatives, which lint never lets through.
 */
export function compileScope(patterns: ScopePatterns): Scope {
  const writable = matcher(patterns.write_scope, composed);
  const forbidden = forbiddenMatcher(patterns.forbidden_scope);
  return {
    classify(path) {
      const segments = path.split('/');
      if (segments.some(isGitControlName)) return { kind: 'forbidden', pattern: '.git' };
      if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return { kind: 'outside' };
      const refusing = forbidden(path);
      if (refusing !== undefined) return { kind: 'forbidden', pattern: refusing };
      const allowing = writable(path);
      return allowing === undefined ? { kind: 'outside' } : { kind: 'in_scope', pattern: allowing };
    },
  };
}

function forbiddenMatcher(patterns: readonly string[]): Matcher {
  const widest = matcher(patterns, folded);
  const others = [matcher(patterns, exactly), matcher(patterns, lowered)];
  return (path) => {
    const found = widest(path);
    // For an ASCII name the widest reading includes the others.
    if (found !== undefined || isAscii(path)) return found;
    for (const match of others) {
      const pattern = match(path);
      if (pattern !== undefined) return pattern;
    }
    return undefined;
  };
}

function matcher(patterns: readonly string[], reading: Reading): Matcher {
  const folders = new Map<string, string>();
  const globs: { form: Form; pattern: string }[] = [];
  for (const pattern of patterns) {
    for (const form of readForms(pattern, reading)) {
      const folder = folderOf(form);
      if (folder === undefined) globs.push({ form, pattern });
      else if (!folders.has(folder)) folders.set(folder, pattern);
    }
  }
  return (path) => {
    const read = reading(path);
    return findFolder(folders, read) ?? findGlob(globs, read.split('/'));
  };
}

function findGlob(globs: readonly { form: Form; pattern: string }[], segments: readonly string[]): string | undefined {
  return globs.find(({ form }) => matchesForm(form, segments))?.pattern;
}

/** Looks the path and each folder above it up: most patterns of real contracts name a folder or a file. */
function findFolder(folders: ReadonlyMap<string, string>, path: string): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const pattern = folders.get(path.slice(0, end));
    if (pattern !== undefined) return pattern;
  }
  return undefined;
}

/** The folder that a form means whole, `a/b` for `a/b/**`; undefined for any other form. */
export function folderOf(form: Form): string | undefined {
  const names: string[] = [];
  for (const segment of form.slice(0, -1)) {
    if (segment.kind !== 'text') return undefined;
    names.push(segment.text);
  }
  return names.length > 0 && form.at(-1)?.kind === 'deep' ? names.join('/') : undefined;
}

/** Composition happens after braces are spelled out: `{e,x}` followed by an accent composes only there. */
export function readForms(pattern: string, reading: Reading): readonly Form[] {
  const forms = patternForms(pattern);
  if (!forms) throw new RemitError('invalid_contract', `pattern ${JSON.stringify(pattern)} has too many alternatives`);
  return forms.map((form) =>
    form.map((segment) => (segment.kind === 'deep' ? segment : { kind: segment.kind, text: reading(segment.text) })),
  );
}
