/** What a command of a contract gets wrong before anything is run. */
import type { Entry } from './draft.ts';
import { type Problem, problem } from './problem.ts';

/** Policy's reason why the host may not run a command, with what would succeed; undefined when it may. */
export type DenyCommand = (
  argv: readonly string[],
  cwd: string,
) => { readonly reason: string; readonly hint: string } | undefined;

/** Handed on as arguments they would be read as names of files or tests, and the command would prove something else. */
const SHELL_OPERATORS: ReadonlySet<string> = new Set(['&&', '||', '|', ';', '>', '>>', '<', '&', '2>&1']);

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

export function commandProblems(
  { at, value: { argv, cwd } }: Entry<{ readonly argv: readonly string[]; readonly cwd: string }>,
  denyCommand?: DenyCommand,
): Problem[] {
  const shellWords = shellWordProblems(at, argv);
  if (shellWords.length > 0) return shellWords;
  const denial = denyCommand?.(argv, cwd);
  return denial === undefined ? [] : [problem(`${at}.argv`, `is denied by policy: ${denial.reason}`, denial.hint)];
}

/** Words that only a shell would understand. */
function shellWordProblems(at: string, argv: readonly string[]): Problem[] {
  const program = argv[0] ?? '';
  if (program.trim() === '') return [problem(`${at}.argv[0]`, 'names no program', 'Name the program first.')];
  const operators = argv.flatMap((word, index) =>
    SHELL_OPERATORS.has(word)
      ? [
          problem(
            `${at}.argv[${index}]`,
            `is "${word}", which only a shell understands, and no shell runs this`,
            'Name one program in each entry: for two commands give two entries.',
          ),
        ]
      : [],
  );
  if (!ASSIGNMENT.test(program)) return operators;
  const hint = 'Set a variable with env: ["env","CI=1","npm","test"].';
  return [problem(`${at}.argv[0]`, 'sets a variable and names no program', hint), ...operators];
}
