/**
 * The paths that a contract names. These are input, so what is ambiguous is refused with advice; names that Git reports
 * are facts and never come here.
 */
import { isGitControlName } from './folding.ts';
import { expandBraces, MAX_ALTERNATIVES } from './pattern.ts';

export type PathResult =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

const MAX_LENGTH = 1024;
const FROM_THE_ROOT =
  'Write it relative to the root of the repository, and give path_base "repository" beside the contract, as an argument of the delegate call.';

/**
 * A plain path made relative to the repository: `./`, doubled and trailing slashes are folded away, letters are left as
 * they are. `prefix` is the caller's folder inside the repository, '' for its root. '.' is the folder itself.
 */
export function normalizePath(written: string, prefix: string): PathResult {
  return writtenProblem(written) ?? joined(written, prefix, '.');
}

/** A scope pattern made relative to the repository, by the same rules. */
export function normalizePattern(written: string, prefix: string): PathResult {
  const problem = writtenProblem(written) ?? negationProblem(written) ?? prefixProblem(prefix);
  if (problem) return problem;
  const result = joined(written, prefix, '');
  if (!result.ok) return result;
  if (result.path === '') return refuse('is the whole repository', 'Write "**" if you mean every path.');
  return negationProblem(result.path) ?? alternativesProblem(result.path) ?? result;
}

function writtenProblem(written: string): PathResult | undefined {
  return characterProblem(written) ?? segmentProblem(foldSegments(written));
}

function foldSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function characterProblem(written: string): PathResult | undefined {
  if (written.startsWith('/')) return refuse('is absolute', 'Write it relative, for example "src/app.ts".');
  if (/^[A-Za-z]:/.test(written)) return refuse('begins with a drive letter', 'Write it relative, with "/".');
  if (written.includes('\\')) return refuse('has a backslash', 'Separate folders with "/"; nothing needs escaping.');
  if (/[\0-\x1f\x7f]/.test(written)) return refuse('has a control character', 'Use "?" for it in a pattern.');
  if (!written.isWellFormed()) return refuse('is not valid Unicode');
  return undefined;
}

function negationProblem(written: string): PathResult | undefined {
  if (!written.startsWith('!')) return undefined;
  return refuse('begins with "!", and patterns have no negation', 'Put what must not be written into forbidden_scope.');
}

function segmentProblem(segments: readonly string[]): PathResult | undefined {
  if (segments.includes('..')) return refuse('goes up with ".."', FROM_THE_ROOT);
  if (segments.some(isGitControlName)) return refuse("names Git's own data", 'No contract may touch ".git".');
  return undefined;
}

/** Nothing escapes a special character, so a folder whose own name has one cannot stand before a pattern. */
function prefixProblem(prefix: string): PathResult | undefined {
  if (!/[*?{]/.test(prefix)) return undefined;
  const message = `cannot be joined to the caller's folder ${JSON.stringify(prefix)}, whose name has pattern characters`;
  return refuse(message, FROM_THE_ROOT);
}

function alternativesProblem(pattern: string): PathResult | undefined {
  const alternatives = expandBraces(pattern);
  if (!alternatives) return refuse(`spells out more than ${MAX_ALTERNATIVES} alternatives`, 'Write several patterns.');
  for (const alternative of alternatives.length > 1 ? alternatives : []) {
    const segments = alternative.split('/');
    if (segments.includes('') || segments.includes('.'))
      return refuse(`has the alternative ${JSON.stringify(alternative)}, with an empty name`, 'Write two patterns.');
    const problem = segmentProblem(segments);
    if (problem) return problem;
  }
  return undefined;
}

/** The rules hold for the joined path too: it is what is stored, and reading it again must change nothing. */
function joined(written: string, prefix: string, whenEmpty: string): PathResult {
  const path = [...foldSegments(prefix), ...foldSegments(written)].join('/') || whenEmpty;
  const problem = characterProblem(path);
  if (problem) return problem;
  if (path.length <= MAX_LENGTH) return { ok: true, path };
  return refuse(`is longer than ${MAX_LENGTH} characters once it is relative to the repository`);
}

function refuse(message: string, hint?: string): PathResult {
  return { ok: false, message, ...(hint === undefined ? {} : { hint }) };
}
