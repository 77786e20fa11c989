import { visibleLine } from '../base/index.ts';
import { normalizeCwd } from './argument-path.ts';
import { judgeRead, type ReadVerdict } from './audited-reads.ts';
import {
  type Command,
  type Decision,
  type Denial,
  deny,
  HARD_DENIAL,
  hardDenial,
  type PolicyRules,
} from './decision.ts';
import { readEnvironmentPrefix } from './environment-prefix.ts';
import { denyHard } from './hard-denial.ts';

/**
 * What a command may do: hard denials first, then audited reads, then exactly the contract's commands; else denied.
 * `cwd` is relative to the worktree and already canonical. Never throws, whatever the argv holds.
 */
export function decideCommand(argv: readonly string[], cwd: string, rules: PolicyRules): Decision {
  const folder = normalizeCwd(cwd);
  if (folder === undefined) return cwdOutside(cwd);
  const place = { cwd: folder, worktree: rules.worktree };
  const denial = denyHard(argv, place);
  if (denial !== undefined) return denial;
  const read = judgeRead(argv, place);
  if (read.kind === 'audited') return { kind: 'allow', clause: `policy: audited read (${read.name})` };
  return allowByContract(argv, folder, rules) ?? notAllowed(argv, folder, read, rules);
}

/**
 * Why a contract may not name this command as a verification or allowed command, and what would succeed; `undefined` when
 * it may. Only hard denials: a script file runs as `./test.sh`, never as `sh test.sh`, because a shell in
 * argv is judged by its name and not by what it is told. An absolute path is outside unless `worktree`, an absolute folder, holds it.
 */
export function denyVerificationCommand(
  argv: readonly string[],
  cwd: string,
  worktree?: string,
): { readonly reason: string; readonly hint: string } | undefined {
  const folder = normalizeCwd(cwd);
  const denial = folder === undefined ? cwdOutside(cwd) : denyHard(argv, { cwd: folder, worktree });
  // The reader of a contract's problems is told elsewhere that it is policy that speaks.
  return denial && { reason: denial.clause.replace(HARD_DENIAL, ''), hint: denial.hint };
}

export function cwdOutside(cwd: string): Denial {
  return hardDenial(
    'outside_worktree',
    `a cwd outside the worktree (${visibleLine(cwd)})`,
    'Run the command in a folder of the worktree.',
  );
}

function allowByContract(argv: readonly string[], folder: string, rules: PolicyRules): Decision | undefined {
  const prefix = readEnvironmentPrefix(argv);
  const accepted = prefix.kind === 'command' ? [argv, prefix.argv] : [argv];
  const lists = [
    ['verification', rules.verification],
    ['allowed_commands', rules.allowedCommands],
  ] as const;
  for (const [list, commands] of lists) {
    const command = commands.find(
      (entry) => normalizeCwd(entry.cwd) === folder && accepted.some((words) => isSame(words, entry.argv)),
    );
    if (command !== undefined) return { kind: 'allow', clause: `contract: ${list} ${command.id}` };
  }
  return undefined;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}

function notAllowed(argv: readonly string[], folder: string, read: ReadVerdict, rules: PolicyRules): Denial {
  const commands = [...rules.verification, ...rules.allowedCommands];
  const elsewhere = commands.find((command) => isSame(command.argv, argv));
  if (elsewhere !== undefined) {
    return deny(
      'not_allowed',
      `contract: ${elsewhere.id} is allowed only in its own cwd`,
      `Run it in ${showCwd(elsewhere.cwd)}, not in ${showCwd(folder)}.`,
    );
  }
  if (read.kind === 'unlisted_argument') {
    const what = `policy: ${read.name} is read-only without ${visibleLine(read.argument)}`;
    return deny(
      'not_allowed',
      what,
      `Leave that argument out. ${LANGUAGE_HINTS[read.name] ?? 'Long options are spelled in full.'}`,
    );
  }
  return deny(
    'not_allowed',
    `contract: ${visibleLine(argv[0] ?? '')} is no audited read and no command of the contract`,
    commandHint(commands),
  );
}

const LANGUAGE_HINTS: Readonly<Record<string, string>> = {
  sed: 'Use `sed -n 10,20p file`.',
  find: 'Use tests such as -name, -type, -maxdepth, and -print.',
};

/** Names a few commands that would be allowed; bounded, since a contract may list hundreds. */
function commandHint(commands: readonly Command[]): string {
  const reads = 'reading with cat, ls, rg, sed -n, find, head, tail, wc or git status, diff, show, log';
  if (commands.length === 0) return `The contract allows no commands; ${reads} is allowed.`;
  const shown = commands
    .slice(0, 5)
    .map(({ argv, cwd }) => `${visibleLine(JSON.stringify(argv)).slice(0, 160)} in ${showCwd(cwd)}`);
  const more = commands.length > shown.length ? ` and ${commands.length - shown.length} more` : '';
  return `Allowed exactly: ${shown.join('; ')}${more}; also ${reads}.`;
}

function showCwd(cwd: string): string {
  return cwd === '' || cwd === '.' ? 'the root' : visibleLine(cwd);
}
