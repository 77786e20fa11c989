/**
 * The pattern language of a scope. Only `*`, `**`, `?` and `{a,b}` are special and nothing escapes them; everything else,
 * `[`, `(`, `!`, `@(`, a backslash, a newline, stands for itself.
 *
 * Why not picomatch: measured on 4.0.7, `src/**` misses a name with a newline (its `.` stops there, so a worker could name a
 * file out of a forbidden folder), `{1..3}` becomes a range, `?` does not match a letter outside the BMP, and one pattern of
 * ten stars spends 33 s on a name of 41 letters, which the worker chooses. Overlap of two scopes also needs the parsed
 * form, and two parsers could disagree. Here matching costs at most pattern × path, and both use one parse.
 */

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  /** One segment with `*` (any letters, also none) and `?` (one letter, a code point). */
  | { readonly kind: 'wild'; readonly text: string }
  /** `**`: any number of segments, also none. */
  | { readonly kind: 'deep' };

/** One way to read a pattern: a path matches the pattern when it matches any of its forms. */
export type Form = readonly Segment[];

/** Most alternatives that the braces of one pattern may spell out, */
export const MAX_ALTERNATIVES = 256;

/** and those of one list of patterns together: a thousand patterns without braces and room for more. */
export const MAX_LIST_ALTERNATIVES = 4096;

const DEEP: Segment = { kind: 'deep' };

/** Whether the pattern names one path, so that a person would call it a file or a folder and not a pattern. */
export function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern) && (expandBraces(pattern)?.length ?? 2) === 1;
}

/**
 * Every form of a pattern: the path that equals it, with all that lies under it as a folder, and each alternative of its
 * braces. Undefined when there are more than MAX_ALTERNATIVES. A pattern with `*` or `?` equals a path of that very name,
 * but names no folder: else the folder literally so named, which nobody has, would make every two such scopes overlap.
 */
export function patternForms(pattern: string): readonly Form[] | undefined {
  const names = pattern.split('/').map((text): Segment => ({ kind: 'text', text }));
  const itself: Form = /[*?]/.test(pattern) ? names : [...names, DEEP];
  if (isLiteral(pattern)) return [itself];
  const alternatives = expandBraces(pattern);
  return alternatives && [itself, ...alternatives.map(globForm)];
}

function globForm(alternative: string): Form {
  return alternative.split('/').map((text) => {
    if (text === '**') return DEEP;
    return { kind: /[*?]/.test(text) ? 'wild' : 'text', text };
  });
}

/** The spellings of a pattern without braces. A brace that has no partner or no comma stands for itself. */
export function expandBraces(pattern: string): string[] | undefined {
  let searchFrom = 0;
  for (;;) {
    const open = pattern.indexOf('{', searchFrom);
    if (open < 0) return [pattern];
    const group = readGroup(pattern, open);
    if (group) return expandGroup(pattern.slice(0, open), group.options, pattern.slice(group.end));
    searchFrom = open + 1;
  }
}

function expandGroup(before: string, options: readonly string[], after: string): string[] | undefined {
  const tails = expandBraces(after);
  if (!tails) return undefined;
  const spellings: string[] = [];
  for (const option of options) {
    const heads = expandBraces(option);
    if (!heads || spellings.length + heads.length * tails.length > MAX_ALTERNATIVES) return undefined;
    for (const head of heads) for (const tail of tails) spellings.push(before + head + tail);
  }
  return spellings;
}

function readGroup(pattern: string, open: number): { options: string[]; end: number } | undefined {
  const options: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0 || (character === ',' && depth === 1)) {
      options.push(pattern.slice(start, at));
      start = at + 1;
    }
    if (depth === 0) return options.length > 1 ? { options, end: at + 1 } : undefined;
  }
  return undefined;
}
