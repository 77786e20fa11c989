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
  const group = firstGroup(pattern);
  if (!group) return [pattern];
  return expandGroup(pattern.slice(0, group.open), group.options, pattern.slice(group.end));
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

interface Group {
  readonly open: number;
  readonly options: readonly string[];
  /** Where the text after the closing brace begins. */
  readonly end: number;
}

/** The first brace from the left that has a partner and a comma. One pass, so that a thousand open braces cost no more than any text. */
function firstGroup(pattern: string): Group | undefined {
  const waiting: { readonly open: number; readonly commas: number[] }[] = [];
  let first: Group | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '{') waiting.push({ open: at, commas: [] });
    else if (character === ',') waiting.at(-1)?.commas.push(at);
    else if (character === '}') {
      const closed = waiting.pop();
      if (closed && closed.commas.length > 0 && !(first && first.open < closed.open))
        first = { open: closed.open, options: optionsOf(pattern, closed, at), end: at + 1 };
    }
  }
  return first;
}

function optionsOf(pattern: string, { open, commas }: { open: number; commas: readonly number[] }, close: number) {
  const cuts = [open, ...commas, close];
  return cuts.slice(1).map((end, index) => pattern.slice((cuts[index] ?? 0) + 1, end));
}
