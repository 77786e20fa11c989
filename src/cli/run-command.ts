import { type Command, InvalidArgumentError, Option } from 'commander';
import { addApprovalOptions, HOW_IT_ENDS } from './approval-options.ts';
import { addDeskOptions } from './desk-options.ts';
import type { End } from './exit-codes.ts';
import type { RunWords } from './session/run-contract.ts';

const EFFORTS = ['low', 'medium', 'high', 'max'];

const EXAMPLES = `
Examples:
  remit run task.jsonc
  remit run task.jsonc --worker opencode --lane deep
  remit run task.jsonc --yes --message "Add the health route"
  remit run - --json < task.json`;

const AGAIN = `
The same contract has the same id: running it again comes back to its task. Paths
in it are read from the root of the repository.`;

/** Delegates a contract and stays with the task. */
export function addRunCommand(program: Command, end: End): void {
  const command = program
    .command('run')
    .description('Have a worker do what a contract asks for, review it, and commit it on a branch of its own.')
    .argument('<contract>', 'the contract, JSON with or without comments; - is standard input')
    .option('--id <id>', "the task's id (default: the file's name and the contract's hash)")
    .option('--worker <name>', 'the worker, by its name in the settings')
    .option('--model <name>', 'the model, where the worker offers a choice')
    .addOption(new Option('--effort <effort>', 'how hard the model thinks').choices(EFFORTS))
    .addOption(new Option('--lane <lane>', 'fast for small changes, deep for exploration').choices(['fast', 'deep']))
    .option('--repo <directory>', 'a folder of the repository (default: where you are)')
    .option('--base <ref>', 'branch, tag or commit to start from (default: HEAD)')
    .option('--timeout <seconds>', 'working time after which the worker is paused', seconds)
    .addOption(
      new Option('--path-base <base>', "what the contract's paths are relative to: the root or the folder")
        .choices(['repository', 'cwd'])
        .default('repository'),
    );
  addDeskOptions(addApprovalOptions(command))
    .addHelpText('after', `${AGAIN}\n${HOW_IT_ENDS}\n${EXAMPLES}`)
    .action(async (source: string, words: RunWords) => {
      const { runContract } = await import('./session/run-contract.ts');
      end(await runContract(source, words));
    });
}

function seconds(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 60 && number <= 14_400) return number;
  throw new InvalidArgumentError('Write whole seconds from 60 to 14400.');
}
