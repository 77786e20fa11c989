import type { Command } from 'commander';
import { collect, notEmpty } from './option-values.ts';

/** Gives a command the options by which it answers for its person. */
export function addApprovalOptions(command: Command): Command {
  return command
    .option('--approve <id>', 'approve this review criterion (repeatable); then nothing is asked', collect)
    .option('--yes', 'approve every review criterion; then nothing is asked')
    .option('--message <text>', 'message of the commit', notEmpty)
    .option('--resume', 'go on with a paused task without asking')
    .option('--json', 'print the task as JSON at the end; nothing is asked');
}

/** What `--help` says below the options of both commands. */
export const HOW_IT_ENDS = `
At a terminal you see the worker at work, are asked what it may not decide, and
review the change before anything is committed. Ctrl-C leaves at any moment: the
task goes on in the background.

Exit codes:
  0    committed
  1    ended without a commit, or an internal error
  2    bad input, the request was refused, or the worker did not start
  3    waits for a review
  4    paused, or the worker waits for an answer
  5    verification failed
  6    no sandbox can start here
  130  you left; the task goes on

With --json the one object on standard output is that of remit task show --json.`;
