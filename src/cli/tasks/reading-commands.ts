import { type Command, Option } from 'commander';
import { addDeskOptions } from '../desk-options.ts';
import type { End } from '../exit-codes.ts';
import type { DeskWords } from './at-task.ts';
import type { ListWords } from './list-tasks.ts';
import type { WatchWords } from './watch-task.ts';

export const TASK = 'the task: its id, or the beginning of it';

const EXITS = `Exit codes:
  0    completed
  1    ended without a commit
  3    waits for a review
  4    paused, or the worker waits for an answer
  5    at review again: verification failed
  6    at review again: no sandbox can start here
  130  you left (Ctrl-C); the task is as it was

With --json each line is one object; docs/cli.md describes them.`;

/** The commands that change nothing. */
export function addReadingCommands(task: Command, end: End): void {
  addList(task);
  addShow(task);
  addWatch(task, end);
  addDiff(task);
}

function addList(task: Command): void {
  const list = task
    .command('list')
    .description('List the tasks that are open, those that wait for somebody first.')
    .option('--all', 'also those that are over')
    .option('--repo <directory>', 'only tasks of the repository that this directory lies in')
    .option('--json', 'print them as JSON, the newest first')
    .addHelpText('after', '\nExamples:\n  remit task list\n  remit task list --all --repo . --json');
  addDeskOptions(list).action(async (words: ListWords) => {
    const { listTasks } = await import('./list-tasks.ts');
    await listTasks(words);
  });
}

function addShow(task: Command): void {
  const show = task
    .command('show')
    .description('Show a task: where it stands and what to do next, its candidate, contract and proofs.')
    .argument('<task>', TASK)
    .option('--evidence', 'what the host saw instead: document, acceptance, and every receipt')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  remit task show greet\n  remit task show greet --evidence --json');
  addDeskOptions(show).action(async (given: string, words: DeskWords & { evidence?: boolean }) => {
    const { showTask } = await import('./show-task.ts');
    await showTask(given, words);
  });
}

function addWatch(task: Command, end: End): void {
  const watch = task
    .command('watch')
    .description('Follow a task until it needs somebody or is over.')
    .argument('<task>', TASK)
    .addOption(
      new Option('--until <what>', 'when to end: when it needs somebody or is over, or only when it is over')
        .choices(['needed', 'over'])
        .default('needed'),
    )
    .option('--json', 'print each piece of news as one line of JSON')
    .addHelpText(
      'after',
      `\n${EXITS}\n\nExamples:\n  remit task watch greet\n  remit task watch greet --until over --json`,
    );
  addDeskOptions(watch).action(async (given: string, words: WatchWords) => {
    const { watchTask } = await import('./watch-task.ts');
    end(await watchTask(given, words));
  });
}

function addDiff(task: Command): void {
  const diff = task
    .command('diff')
    .description('Print what the candidate changes.')
    .argument('<task>', TASK)
    .option('--stat', 'only lines added and removed, by file')
    .addHelpText('after', '\nExamples:\n  remit task diff greet\n  remit task diff greet --stat');
  addDeskOptions(diff).action(async (given: string, words: DeskWords & { stat?: boolean }) => {
    const { printDiff } = await import('./print-diff.ts');
    await printDiff(given, words);
  });
}
