import { createContext, Script } from 'node:vm';

export interface LineSearch {
  readonly kind: 'search';
  /** Indexes of the lines that match; `undefined` when the time for all calls together is used up. */
  linesThatMatch(lines: readonly string[]): readonly number[] | undefined;
}

export type LineSearchOpening = LineSearch | { readonly kind: 'problem'; readonly reason: string };

/** For one search, all files together. */
const MOST_MS = 5_000;

const SCRIPT = new Script('lines.flatMap((line, at) => (expression.test(line) ? [at] : []))');

/**
 * A regular expression can need longer than the universe for one line, and nothing but the machine that runs it can stop it:
 * so it runs as a script with a deadline. The script is ours; the model's text is only ever an expression.
 */
export function openLineSearch(pattern: string, options: { ignoreCase: boolean; literal: boolean }): LineSearchOpening {
  const expression = compile(options.literal ? escaped(pattern) : pattern, options.ignoreCase ? 'iu' : 'u');
  if (!(expression instanceof RegExp)) return { kind: 'problem', reason: expression };
  const globals: { expression: RegExp; lines: readonly string[] } = { expression, lines: [] };
  const context = createContext(globals);
  let left = MOST_MS;
  return {
    kind: 'search',
    linesThatMatch(lines) {
      if (lines.length === 0) return [];
      if (left < 1) return undefined;
      globals.lines = lines;
      const begun = performance.now();
      try {
        return SCRIPT.runInContext(context, { timeout: Math.ceil(left) }) as number[];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        return undefined;
      } finally {
        left -= performance.now() - begun;
      }
    },
  };
}

/** With the rules of Unicode; an expression that only the older rules take is taken by those. */
function compile(pattern: string, flags: string): RegExp | string {
  try {
    return new RegExp(pattern, flags);
  } catch {
    try {
      return new RegExp(pattern, flags.replace('u', ''));
    } catch (error) {
      return error instanceof Error ? error.message : 'is no regular expression';
    }
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
