import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { denyVerificationCommand, isAuditedRead, plainRun } from '../../policy/index.ts';
import { type CapturedOutput, type Outcome, runProcess } from '../../process/index.ts';
import type { CommandBox } from './command-box.ts';
import { openFolder } from './open-folder.ts';
import type { CommandEnd, CommandLimits, CommandOutput, PlaceCommands } from './place.ts';
import { fileStates, touchedFiles, touchedSince } from './watch-files.ts';

/** Commands on this machine, each in a box of its own. No contract lists them here, so only what no contract could allow is denied. */
export function localCommands(root: string, box: CommandBox): PlaceCommands {
  return {
    kind: 'offered',
    run: (argv, cwd, limits) => runBoxed(root, box, argv, cwd, limits),
    touchedSince: (moment) => touchedSince(root, box, moment),
  };
}

async function runBoxed(
  root: string,
  box: CommandBox,
  argv: readonly string[],
  cwd: string,
  limits: CommandLimits,
): Promise<CommandEnd> {
  const denial = denyVerificationCommand(argv, cwd, root);
  if (denial !== undefined) return { kind: 'refused', reason: `is refused (${denial.reason}). ${denial.hint}` };
  const opened = await openFolder(root, cwd, { isTarget: true });
  if (opened.kind !== 'folder')
    return {
      kind: 'refused',
      reason: `has no working folder: ${cwd} ${opened.kind === 'absent' ? 'does not exist' : opened.reason}`,
    };
  await opened.folder[Symbol.asyncDispose]();
  // A read changes nothing, so nothing has to be looked for after it.
  const isRead = isAuditedRead(argv, cwd, root);
  const before = isRead ? undefined : await fileStates(root, box);
  const run = isRead ? plainRun(argv) : { argv, environment: {} };
  const variables = Object.entries(run.environment).flatMap(([name, value]) => ['--setenv', name, value]);
  const hadGit = hasGit(root);
  const { outcome, stdout, stderr } = await runProcess({
    argv: [box.launcher, ...box.options, ...variables, '--chdir', join(root, cwd), '--', ...run.argv],
    cwd: '/',
    env: {},
    ...limits,
  });
  const errors = outputOf(stderr);
  const note = hadGit || !hasGit(root) ? '' : takeGitAway(root);
  return {
    kind: 'ended',
    ...endOf(outcome, limits.timeoutMs),
    stdout: outputOf(stdout),
    stderr: { ...errors, text: errors.text + note },
    touched: before === undefined ? [] : touchedFiles(before, await fileStates(root, box)),
  };
}

function hasGit(root: string): boolean {
  return lstatSync(join(root, '.git'), { throwIfNoEntry: false }) !== undefined;
}

/** Where there is a repository the box shows its `.git` read-only. One that a command makes says which programs Git runs later, outside. */
function takeGitAway(root: string): string {
  rmSync(join(root, '.git'), { recursive: true, force: true });
  return '\nThe command made .git, which was taken away: whoever runs Git here would run what it names. Make the repository by hand.\n';
}

function endOf(outcome: Outcome, timeoutMs: number): { exitCode: number | null; how?: string } {
  switch (outcome.kind) {
    case 'exited':
      return { exitCode: outcome.exitCode };
    case 'signalled':
      return { exitCode: null, how: `ended by ${outcome.signal}` };
    case 'timed_out':
      return {
        exitCode: null,
        how: `stopped after ${Math.round(timeoutMs / 1000)} s; give a larger timeout_seconds or a smaller command`,
      };
    case 'aborted':
      return { exitCode: null, how: 'cancelled' };
    case 'not_started':
      return { exitCode: null, how: `could not be started: ${outcome.reason}` };
  }
}

function outputOf({ bytes, totalBytes, truncated }: CapturedOutput): CommandOutput {
  return { text: bytes.toString('utf8'), totalBytes, truncated };
}
