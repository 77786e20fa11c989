import type { Command } from 'commander';
import { addApprovalOptions, HOW_IT_ENDS } from './approval-options.ts';
import { addDeskOptions } from './desk-options.ts';
import type { End } from './exit-codes.ts';
import type { AttachWords } from './session/attach.ts';
import { TASK } from './tasks/reading-commands.ts';

const EXAMPLES = `
Examples:
  remit task attach add-health-3fa9c1
  remit task attach add-health-3fa9c1 --approve looks-right --approve is-small
  remit task attach add-health-3fa9c1 --resume --yes --json`;

/** Comes back to a task that was left, or that another client delegated. */
export function addAttachCommand(taskGroup: Command, end: End): void {
  const command = taskGroup
    .command('attach')
    .description('Come back to a task: watch it, answer it, review it, and have it committed.')
    .argument('<task>', TASK);
  addDeskOptions(addApprovalOptions(command))
    .addHelpText('after', `${HOW_IT_ENDS}\n${EXAMPLES}`)
    .action(async (taskId: string, words: AttachWords) => {
      const { attach } = await import('./session/attach.ts');
      end(await attach(taskId, words));
    });
}
