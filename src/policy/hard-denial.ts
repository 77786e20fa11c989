import { denyArgumentPath, type Place } from './argument-path.ts';
import { denyGit, judgeRead } from './audited-reads.ts';
import { type Denial, hardDenial } from './decision.ts';
import { denyProgram, programName } from './denied-programs.ts';
import { readEnvironmentPrefix } from './environment-prefix.ts';
import { judgeInterpreter } from './inline-code.ts';
import { commandInside, denyPackageCommand } from './package-denial.ts';
import { isSed, sedScripts } from './sed-script.ts';

/** The denials that no contract lifts, in the order in which a reader would ask. */
export function denyHard(argv: readonly string[], place: Place): Denial | undefined {
  return denyMalformed(argv) ?? denyWhatRuns(argv, place) ?? denyPaths(argv, place);
}

/** Linux takes no longer argument, and no rule here should be made to read one. Characters. */
const LONGEST_ARGUMENT = 131_072;
const LONGEST_PROGRAM = 4_096;
const MOST_ARGUMENTS = 4_096;
/** Launchers may nest (`npm exec npx …`), but nobody needs more than this. */
const DEEPEST_NESTING = 4;

function denyMalformed(argv: readonly string[]): Denial | undefined {
  const program = argv[0];
  const what =
    program === undefined || program === ''
      ? 'no program'
      : argv.some((arg) => arg.includes('\0'))
        ? 'a NUL character, which no argument can hold'
        : program.length > LONGEST_PROGRAM ||
            argv.length > MOST_ARGUMENTS ||
            argv.some((arg) => arg.length > LONGEST_ARGUMENT)
          ? 'arguments that are too long or too many'
          : /\s/.test(program)
            ? 'blanks in the name of the program'
            : undefined;
  return what === undefined
    ? undefined
    : hardDenial('malformed_command', what, 'Give the program and each argument as an item of its own.');
}

/** The program, and every program that it is told to run in its turn. */
function denyWhatRuns(argv: readonly string[], place: Place, depth = 0): Denial | undefined {
  if (depth > DEEPEST_NESTING) {
    return hardDenial('shell_or_wrapper', 'wrappers in wrappers', 'Name the program itself.');
  }
  const program = argv[0] ?? '';
  if (program.includes('/') && !program.startsWith('/')) {
    const outside = denyArgumentPath(program, place);
    if (outside !== undefined) return outside;
  }
  const prefix = readEnvironmentPrefix(argv);
  if (prefix.kind === 'denied') return prefix.denial;
  if (prefix.kind === 'command') return denyWhatRuns(prefix.argv, place, depth + 1);
  const denial = denyProgram(program) ?? denyGit(argv) ?? denyExecutingOption(argv);
  if (denial !== undefined) return denial;
  const interpreted = judgeInterpreter(argv);
  if (interpreted !== undefined) {
    return 'denial' in interpreted ? interpreted.denial : denyWhatRuns(interpreted.module, place, depth + 1);
  }
  const changing = denyPackageCommand(argv);
  if (changing !== undefined) return changing;
  const inside = commandInside(argv);
  return inside && ('denial' in inside ? inside.denial : denyWhatRuns(inside.inner, place, depth + 1));
}

/** Options by which programs that only look things up run others or destroy. */
const EXECUTING_OPTIONS: Readonly<Record<string, RegExp>> = {
  find: /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/,
  fd: /^(-[a-zA-Z]*[xX]|--exec.*)$/,
  fdfind: /^(-[a-zA-Z]*[xX]|--exec.*)$/,
  rg: /^--(pre|hostname-bin)($|=)/,
  sort: /^--comp/,
  tar: /^(--to-command|--checkpoint-action|--use-compress-program|-I|--rsh-command|--info-script|-F)/,
  zip: /^(-TT|--unzip-command)/,
  mvn: /^(exec:|[\w.-]+:exec-maven-plugin:([\d.]+:)?)exec/,
  mvnw: /^(exec:|[\w.-]+:exec-maven-plugin:([\d.]+:)?)exec/,
  // Of each line of a recipe, make starts what SHELL names.
  make: /^\.?(SHELL|SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)\s*[:?+!]*=/,
  gmake: /^\.?(SHELL|SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)\s*[:?+!]*=/,
};

function denyExecutingOption(argv: readonly string[]): Denial | undefined {
  const name = programName(argv[0] ?? '');
  const pattern = Object.hasOwn(EXECUTING_OPTIONS, name) ? EXECUTING_OPTIONS[name] : undefined;
  const found = pattern && argv.slice(1).find((arg) => pattern.test(arg));
  return found === undefined || found === ''
    ? undefined
    : hardDenial('shell_or_wrapper', `wrappers (${name} ${found})`, `Use ${name} without ${found}.`);
}

/** Programs whose first operand is a text to look for and may begin with a slash. */
const SEARCHERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'ag', 'ack', 'rg']);

/** Build tools in whose arguments `//a/b:c` is a target of the workspace and no path. */
const LABELLERS: ReadonlySet<string> = new Set(['bazel', 'bazelisk', 'buck', 'buck2', 'pants', 'please', 'plz']);
const TARGET_LABEL = /^-?\/\/(?![./]*\/\.\.)[\w./:+@-]*$/;

function denyPaths(argv: readonly string[], place: Place): Denial | undefined {
  const prefix = readEnvironmentPrefix(argv);
  const command = prefix.kind === 'command' ? prefix.argv : argv;
  // Where we know which arguments are paths, only those are judged.
  const read = judgeRead(command, place);
  if (read.kind === 'audited') return undefined;
  if (read.kind === 'denied') return read.denial;
  const name = programName(command[0] ?? '');
  const operands = command.slice(1);
  const texts = textsOf(name, operands);
  for (const argument of operands) {
    if (texts.includes(argument) || (LABELLERS.has(name) && TARGET_LABEL.test(argument))) continue;
    const denial = denyOperand(argument, place);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** Operands that are no paths, although they may begin with a slash: what to look for, and sed's scripts. */
function textsOf(name: string, operands: readonly string[]): readonly string[] {
  if (isSed(name)) return sedScripts(operands);
  return SEARCHERS.has(name) ? operands.filter((argument) => !argument.startsWith('-')).slice(0, 1) : [];
}

/** An operand, or the value of `--option=value`. Without a slash, dot or tilde it can be no path that matters. */
function denyOperand(argument: string, place: Place): Denial | undefined {
  const value = argument.startsWith('-') ? argument.split(/=(.*)/s)[1] : argument;
  return value === undefined || value === '' ? undefined : denyArgumentPath(value, place);
}
