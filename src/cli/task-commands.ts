import type { Command } from 'commander';
import { addAttachCommand } from './attach-command.ts';
import type { End } from './exit-codes.ts';
import { addActingCommands } from './tasks/acting-commands.ts';
import { addReadingCommands } from './tasks/reading-commands.ts';

const ABOUT = `A task is named by its id, or by a beginning that no other id has. Whoever can
open the state directory may act on every task in it, whichever client delegated
it: the process that works on the task does what is asked for.

Examples:
  remit task list
  remit task show greet
  remit task finalize greet --yes`;

export function addTaskCommands(program: Command, end: End): void {
  const task = program
    .command('task')
    .description('See and guide the tasks that were delegated, and approve what they made.')
    .addHelpText('after', `\n${ABOUT}`);
  addReadingCommands(task, end);
  addAttachCommand(task, end);
  addActingCommands(task, end);
}
