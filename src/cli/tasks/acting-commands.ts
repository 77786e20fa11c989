import { type Command, InvalidArgumentError } from 'commander';
import { addDeskOptions } from '../desk-options.ts';
import type { End } from '../exit-codes.ts';
import { collect, notEmpty } from '../option-values.ts';
import type { DeskWords } from './at-task.ts';
import type { FinalizeWords } from './finalize-task.ts';
import { TASK } from './reading-commands.ts';
import type { RespondWords } from './respond-to-task.ts';

const JSON_VIEW = "print the task's view as JSON";

const FINALIZE = `What is approved is the candidate of the given revision and tree, else the one
that is there when the command begins; one that has changed since is refused.
The host then runs the contract's verification itself and makes one commit on the
task's branch. Ctrl-C leaves that running.

Exit codes:
  0    committed
  1    an internal error
  2    the approval was refused
  5    verification failed
  6    no sandbox can start here
  130  you left (Ctrl-C); finalizing goes on

Examples:
  remit task finalize greet --yes
  remit task finalize greet --approve C1 --approve C2 --message 'Greet by name'`;

/** The commands by which a person guides, answers, approves or ends a task. */
export function addActingCommands(task: Command, end: End): void {
  addSteer(task);
  addRespond(task);
  addFinalize(task, end);
  addStop(task, 'cancel', 'Stop a task for good, also its verification; not once its commit began.');
  addStop(task, 'close', 'End a task that is no longer needed; as cancel, but never during a verification.');
}

function addSteer(task: Command): void {
  const steer = task
    .command('steer')
    .description('Guide the worker while it runs, or have it repair what you reviewed (at most two rounds).')
    .argument('<task>', TASK)
    .argument('<message>', 'what to tell the worker; - reads standard input')
    .option('--json', JSON_VIEW)
    .addHelpText(
      'after',
      "\nExamples:\n  remit task steer greet 'Keep the old greeting as default'\n  remit task steer greet - < review.txt",
    );
  addDeskOptions(steer).action(async (given: string, message: string, words: DeskWords) => {
    const { steerTask } = await import('./steer-task.ts');
    await steerTask(given, message, words);
  });
}

function addRespond(task: Command): void {
  const respond = task
    .command('respond')
    .description('Answer what the worker asks.')
    .argument('<task>', TASK)
    .option('--allow', 'allow it once')
    .option('--deny', 'deny it, or decline the question')
    .option('--option <option>', 'one of the answers that the question lists')
    .option('--answer <text>', 'the answer in your own words', notEmpty)
    .option('--interaction <id>', 'which question; default: the one that is open')
    .option('--json', JSON_VIEW)
    .addHelpText(
      'after',
      "\nExamples:\n  remit task respond greet --allow\n  remit task respond greet --answer 'Use the long form'",
    );
  addDeskOptions(respond).action(async (given: string, words: RespondWords) => {
    const { respondToTask } = await import('./respond-to-task.ts');
    await respondToTask(given, words);
  });
}

function addFinalize(task: Command, end: End): void {
  const finalize = task
    .command('finalize')
    .description('Approve the candidate: the host verifies exactly that and makes one commit.')
    .argument('<task>', TASK)
    .option('--yes', 'approve every criterion that is yours to approve')
    .option('--approve <id>', 'approve this review criterion (repeatable)', collect)
    .option('--revision <number>', 'the revision that you reviewed', wholeNumber)
    .option('--tree <hash>', 'the tree that you reviewed', treeHash)
    .option('--summary <text>', 'what you reviewed and concluded; kept as evidence', notEmpty)
    .option('--message <text>', 'the message of the commit; default: task id and objective', notEmpty)
    .option('--json', JSON_VIEW)
    .addHelpText('after', `\n${FINALIZE}`);
  addDeskOptions(finalize).action(async (given: string, words: FinalizeWords) => {
    const { finalizeTask } = await import('./finalize-task.ts');
    end(await finalizeTask(given, words));
  });
}

function addStop(task: Command, action: 'cancel' | 'close', description: string): void {
  const stop = task
    .command(action)
    .description(description)
    .argument('<task>', TASK)
    .option('--json', JSON_VIEW)
    .addHelpText(
      'after',
      `\nBranch and worktree are kept. A task that is over stays as it is.\n\nExample:\n  remit task ${action} greet`,
    );
  addDeskOptions(stop).action(async (given: string, words: DeskWords) => {
    const { stopTask } = await import('./stop-task.ts');
    await stopTask(given, action, words);
  });
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Write a whole number.');
  return Number(value);
}

function treeHash(value: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value))
    throw new InvalidArgumentError('Write the whole hash: 40 or 64 digits.');
  return value;
}
