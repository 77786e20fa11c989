import { type OptionGrammar, programName, splitArguments } from './arguments.ts';
import type { LineRange } from './line-ranges.ts';
import type { CommandObservation } from './observation.ts';
import { repositoryPath } from './repository-path.ts';
import type { Sight } from './sight.ts';

/** Options that hide differences (`-q`, `-w`, `-B`, `-I` …), other layouts and whole folders are missing on purpose. */
const DIFF: OptionGrammar = {
  single: /^-(?:[auN]+|U\d+)$|^--(?:unified(?:=\d+)?|normal|text|minimal|new-file|color=never)$/,
  valued: /^-U$/,
};

/** `-l` prints numbers of bytes and no line, `-s` nothing. */
const CMP: OptionGrammar = { single: /^(?:-b|--print-bytes)$/ };

/** What `diff` and `cmp` showed of the two files. Both end with 1 when there was something to show, with 2 when they failed. */
export function comparedFiles(command: CommandObservation, worktree: string | undefined): Sight[] {
  if (command.exit_code !== 1) return [];
  // Both print the names as they are: one with a line break in it would write lines of its own.
  if (command.argv.some((word) => /\p{Cc}/u.test(word))) return [];
  const isDiff = programName(command.argv[0] ?? '') === 'diff';
  const split = splitArguments(command.argv.slice(1), isDiff ? DIFF : CMP);
  if (split?.operands.length !== 2) return [];
  const shown = isDiff ? diffRanges(command.stdout) : cmpRanges(command.stdout, split.operands);
  return split.operands.flatMap((operand, side) => {
    const path = repositoryPath(operand, { cwd: command.cwd, worktree });
    const ranges = shown[side] ?? [];
    return path === undefined || ranges.length === 0 ? [] : [{ path, kind: 'lines' as const, ranges }];
  });
}

/**
 * `3,4c3`, `7d6`, `9a10,12` or `@@ -3,4 +3 @@`. No line of content begins so: each has its mark before it. Matched line by
 * line, since to the flag `m` a line also begins after a carriage return in the middle of one.
 */
const HUNK = /^(?:(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?|@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@)$/;

function diffRanges(output: string): [LineRange[], LineRange[]] {
  const sides: [LineRange[], LineRange[]] = [[], []];
  for (const line of output.split('\n')) {
    const [, from, to, letter, newFrom, newTo, start, length, newStart, newLength] = HUNK.exec(line) ?? [];
    if (letter !== 'a' && from !== undefined) sides[0].push(range(from, to));
    if (letter !== 'd' && newFrom !== undefined) sides[1].push(range(newFrom, newTo));
    if (start !== undefined && newStart !== undefined) {
      sides[0].push(...stretch(start, length));
      sides[1].push(...stretch(newStart, newLength));
    }
  }
  return sides;
}

function range(from: string, to: string | undefined): LineRange {
  return { from: Number(from), to: Number(to ?? from) };
}

function stretch(start: string, length = '1'): LineRange[] {
  return length === '0' ? [] : [{ from: Number(start), to: Number(start) + Number(length) - 1 }];
}

/** `a b differ: byte 5, line 2`: it speaks of that one line. A name may hold such words, too. */
function cmpRanges(output: string, names: readonly string[]): [LineRange[], LineRange[]] {
  const told = `${names.join(' ')} differ: `;
  const line = output.startsWith(told)
    ? /^(?:byte|char) \d+, line (\d+)/.exec(output.slice(told.length))?.[1]
    : undefined;
  const ranges = line === undefined ? [] : [range(line, undefined)];
  return [ranges, ranges];
}
