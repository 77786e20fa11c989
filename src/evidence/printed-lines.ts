import { type OptionGrammar, programName, splitArguments } from './arguments.ts';
import type { CommandObservation } from './observation.ts';
import { repositoryPath } from './repository-path.ts';
import type { Sight } from './sight.ts';

/** `-s` is missing: it squeezes blank lines, so its lines are not the file's. */
const CAT: OptionGrammar = {
  single: /^-[AbeEntTuv]+$|^--(?:show-all|number-nonblank|show-ends|number|show-tabs|show-nonprinting)$/,
};

/** Without `-f`, which waits, `-z`, whose lines are others, and `-q` and `-v`, which decide on a heading before the content. */
const HEAD_OR_TAIL: OptionGrammar = {
  single: /^-\d+$|^-[nc][+-]?\d+$|^--(?:lines|bytes)=[+-]?\d+$/,
  valued: /^(?:-[nc]|--lines|--bytes)$/,
};

/** What `cat`, `head` and `tail` printed. Lines are counted in what was printed, never in what was asked for. */
export function printedLines(command: CommandObservation, worktree: string | undefined): Sight[] {
  if (command.exit_code !== 0) return [];
  const program = programName(command.argv[0] ?? '');
  const split = splitArguments(command.argv.slice(1), program === 'cat' ? CAT : HEAD_OR_TAIL);
  const paths = split?.operands.map((operand) => repositoryPath(operand, { cwd: command.cwd, worktree })) ?? [];
  const [path, ...others] = paths;
  if (split === undefined || path === undefined) return [];
  // Several files run into each other: `cat` printed all of each, of `head` and `tail` nobody knows which line is whose.
  if (others.length > 0) return program === 'cat' ? wholeFiles(paths) : [];
  const byBytes = split.options.some((option) => /^(?:-c|--bytes)/.test(option));
  if (program === 'tail') return [{ path, kind: 'last', count: tailLines(command.stdout, byBytes) }];
  return [{ path, kind: 'lines', ranges: [{ from: 1, to: headLines(command.stdout, byBytes) }] }];
}

function wholeFiles(paths: readonly (string | undefined)[]): Sight[] {
  return paths.flatMap((path) => (path === undefined ? [] : [{ path, kind: 'whole' as const }]));
}

/** Bytes may end in the middle of a line, which was then not shown. */
function headLines(output: string, byBytes: boolean): number {
  const breaks = output.split('\n').length - 1;
  return byBytes || output.endsWith('\n') ? breaks : breaks + 1;
}

/** Bytes may begin in the middle of a line. */
function tailLines(output: string, byBytes: boolean): number {
  const lines = headLines(output, false);
  return byBytes ? lines - 1 : lines;
}
