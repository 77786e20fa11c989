import { Command, CommanderError } from 'commander';
import { RemitError, visibleText } from '../base/index.ts';
import { addContractCommands } from './contract-commands.ts';
import { type End, EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { addServeCommand } from './serve-command.ts';
import { addVersionCommand } from './version-command.ts';

/** Runs one command line (without the program's own name) to its end and tells how it ended; never throws. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  let ended: ExitCode = EXIT.ok;
  const program = makeProgram((code) => {
    ended = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return ended;
  } catch (error) {
    return explain(error);
  }
}

function makeProgram(end: End): Command {
  const program = new Command('remit')
    .description('Hand a coding agent a contract: what it may write, which commands may run, and what must be proven.')
    .showHelpAfterError('(remit --help shows every command)')
    .addHelpText('after', '\nExample:\n  remit contract new > task.jsonc && remit contract lint task.jsonc')
    .exitOverride();
  addServeCommand(program);
  addContractCommands(program, end);
  addVersionCommand(program);
  return program;
}

function explain(error: unknown): ExitCode {
  // Commander has already printed the help, or what is wrong with the command line.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  if (error instanceof RemitError) {
    process.stderr.write(`remit: ${visibleText(error.message)}\n`);
    return exitCodeOf(error.code);
  }
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`remit: something unforeseen went wrong; please report it.\n${visibleText(shown)}\n`);
  return EXIT.internal;
}
