import { homedir } from 'node:os';
import { Argument, type Command } from 'commander';
import { print } from './print.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const HOW = `Add one line to the file that your shell reads when it starts:
  ~/.bashrc                   eval "$(remit completion bash)"
  ~/.zshrc                    eval "$(remit completion zsh)"
  ~/.config/fish/config.fish  remit completion fish | source

Commands, options, their values and the ids of tasks are completed.

Example:
  remit completion bash > ~/.local/share/bash-completion/completions/remit`;

/** The script of a shell, made from the commands of this very program. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes remit in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', `\n${HOW}`)
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { commandTree } = await import('./completion/command-tree.ts');
      const { SCRIPTS } = await import('./completion/scripts.ts');
      print(SCRIPTS[shell](commandTree(program)));
    });
  addTaskIds(program);
}

/** Not for people: what those scripts ask while somebody waits for a word. */
function addTaskIds(program: Command): void {
  program.command('list-task-ids', { hidden: true }).action(async () => {
    const { readTaskIds } = await import('../app/index.ts');
    const tasks = readTaskIds({ flags: {}, environment: process.env, homeDirectory: homedir() });
    if (tasks.length > 0) print(tasks.map(({ taskId, state }) => `${taskId}\t${state}`).join('\n'));
  });
}
