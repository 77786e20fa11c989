import { visibleLine } from '../base/index.ts';
import { denyArgumentPath, normalizeCwd, type Place } from './argument-path.ts';
import { denyAuditedRead } from './audited-reads.ts';
import { type Command, type Decision, type Denial, deny, hardDenial, type PolicyRules } from './decision.ts';
import { denyProgram, programName } from './denied-programs.ts';
import { readEnvironmentPrefix } from './environment-prefix.ts';
import { denyGit } from './git-reads.ts';
import { judgeInterpreter } from './inline-code.ts';
import { judgePackageCommand } from './package-policy.ts';

/** Launchers may nest (`npm exec npx …`), but nobody needs more than this. */
const MAX_NESTING = 4;

/** Whether a command may run: hard denials first, then audited reads, then the contract's own commands, else no. */
export function decideCommand(argv: readonly string[], cwd: string, rules: PolicyRules): Decision {
  const place = placeOf(cwd, rules.worktree);
  if (place === undefined) return outside(cwd);
  const prefix = readEnvironmentPrefix(argv);
  if (prefix.kind === 'denied') return prefix.denial;
  const command = prefix.kind === 'command' ? prefix.argv : argv;
  const hard = hardDenialOf(command);
  if (hard) return hard;
  const contracted = findContracted(command, place.cwd, rules);
  if (contracted) return { kind: 'allow', clause: `the contract's command ${contracted.id}` };
  if (programName(command[0] ?? '') === 'git') return decideGit(command, place);
  const read = denyAuditedRead(command, place);
  if (read === undefined) return { kind: 'allow', clause: 'policy: audited read' };
  return read === 'unknown' ? notAllowed(command, rules) : read;
}

/** Why policy would never let this be a verification command; lint asks. Undefined: it may be one. */
export function denyVerificationCommand(argv: readonly string[], cwd: string): string | undefined {
  if (placeOf(cwd, undefined) === undefined) return 'its cwd is outside the repository';
  const prefix = readEnvironmentPrefix(argv);
  const denial =
    prefix.kind === 'denied' ? prefix.denial : hardDenialOf(prefix.kind === 'command' ? prefix.argv : argv);
  return denial && `${denial.clause}. ${denial.hint}`;
}

/** What no contract lifts, also behind launchers and `python -m`. */
export function hardDenialOf(argv: readonly string[], depth = 0): Denial | undefined {
  const program = argv[0] ?? '';
  if (program === '' || argv.some((word) => word.includes('\0') || !word.isWellFormed())) {
    return hardDenial(
      'malformed_command',
      'commands that are no argv',
      'Give a program and arguments as text without NUL.',
    );
  }
  if (depth > MAX_NESTING) return hardDenial('shell_or_wrapper', 'wrappers in wrappers', 'Name the program directly.');
  if (programName(program) === 'env') {
    return hardDenial('shell_or_wrapper', 'wrappers: env behind another program', 'Name the program directly.');
  }
  const denial = denyProgram(program) ?? (programName(program) === 'git' ? denyGit(argv) : undefined);
  if (denial) return denial;
  const interpreter = judgeInterpreter(argv);
  if (interpreter) return 'denial' in interpreter ? interpreter.denial : hardDenialOf(interpreter.module, depth + 1);
  const packages = judgePackageCommand(argv);
  if (packages) return 'denial' in packages ? packages.denial : hardDenialOf(packages.inner, depth + 1);
  return undefined;
}

function placeOf(cwd: string, worktree: string | undefined): Place | undefined {
  const normal = normalizeCwd(cwd);
  return normal === undefined ? undefined : { cwd: normal, worktree };
}

function findContracted(argv: readonly string[], cwd: string, rules: PolicyRules): Command | undefined {
  return [...rules.verification, ...rules.allowedCommands].find(
    (command) =>
      normalizeCwd(command.cwd) === cwd &&
      command.argv.length === argv.length &&
      command.argv.every((word, index) => word === argv[index]),
  );
}

/** Only reading subcommands come here; revisions such as `HEAD:path` and ranges are no paths to leave by. */
function decideGit(argv: readonly string[], place: Place): Decision {
  for (const arg of argv.slice(1)) {
    if (arg.startsWith('-') || arg === '') continue;
    const path = arg.includes(':') ? arg.slice(arg.lastIndexOf(':') + 1) : arg;
    const isRange = /^[^/]*\.\.\.?[^/]*$/.test(path) && path !== '..';
    const denial = isRange || path === '' ? undefined : denyArgumentPath(path, place);
    if (denial) return denial;
  }
  return { kind: 'allow', clause: 'policy: audited read' };
}

function outside(cwd: string): Denial {
  return hardDenial(
    'outside_worktree',
    `paths outside the worktree (cwd ${visibleLine(cwd)})`,
    'Run the command with a cwd inside the worktree.',
  );
}

function notAllowed(argv: readonly string[], rules: PolicyRules): Denial {
  const may = [...rules.verification, ...rules.allowedCommands]
    .slice(0, 8)
    .map((command) => JSON.stringify(command.argv));
  const hint =
    may.length === 0
      ? 'The contract allows no command; read with cat, ls, rg or git diff.'
      : `Allowed are exactly: ${may.join(', ')}, and reading programs.`;
  return deny('not_allowed', `policy: ${visibleLine(argv[0] ?? '')} is in none of the contract's commands`, hint);
}
