import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addCompletionCommand } from './completion-command.ts';
import { addContractCommands } from './contract-commands.ts';
import { type End, EXIT, type ExitCode } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import { addHostCommand } from './host-command.ts';
import { addMcpCommands } from './mcp-commands.ts';
import { addRunCommand } from './run-command.ts';
import { addServeCommand } from './serve-command.ts';
import { addTaskCommands } from './task-commands.ts';
import { addVersionCommand } from './version-command.ts';
import { addWorkerCommands } from './worker-commands.ts';

/** Runs one command line (without the program's own name) to its end and tells how it ended; never throws. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  let ended: ExitCode = EXIT.ok;
  const json = asksForJson(words);
  const program = makeProgram(json, (code) => {
    ended = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return ended;
  } catch (error) {
    return explainError(error, { json });
  }
}

/** Asked of the words themselves: a command line that cannot be parsed is explained in the same form. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).includes('--json');
}

function makeProgram(json: boolean, end: End): Command {
  const program = new Command('remit')
    .description('Hand a coding agent a contract: what it may write, which commands may run, and what must be proven.')
    .addHelpText(
      'after',
      '\nExample:\n  remit contract new > task.jsonc\n  remit contract lint task.jsonc\n  remit run task.jsonc',
    )
    .version(manifest.version, '-V, --version', 'print the version')
    .exitOverride();
  // What a program reads is one JSON object, without Commander's own sentences and help beside it. Subcommands inherit this.
  if (json) program.configureOutput({ writeErr: () => {} });
  addRunCommand(program, end);
  addServeCommand(program);
  addContractCommands(program, end);
  addTaskCommands(program, end);
  addMcpCommands(program);
  addWorkerCommands(program);
  addCompletionCommand(program);
  addVersionCommand(program);
  addHostCommand(program);
  pointToHelp(program, 'remit', 'shows every command');
  return program;
}

/** After a mistake the help of the command that it was made in is what helps. */
function pointToHelp(command: Command, path: string, what: string): void {
  command.showHelpAfterError(`(${path} --help ${what})`);
  for (const below of command.commands) pointToHelp(below, `${path} ${below.name()}`, 'shows how it is used');
}
