import { CommanderError } from 'commander';
import { RemitError, redact, visibleText } from '../base/index.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { jsonText } from './render/json-text.ts';

/**
 * Tells on standard error why a command did not succeed, and how the process ends. For a program (`--json`) it is the error
 * object of the wire, the same that an MCP client gets.
 */
export function explainError(error: unknown, { json }: { json: boolean }): ExitCode {
  if (error instanceof CommanderError) return explainCommandLine(error, json);
  const known = error instanceof RemitError ? error : knownFault(error);
  const code = known?.code ?? 'internal_error';
  if (json)
    printErrorObject(
      known ?? new RemitError(code, 'something unforeseen went wrong; run it without --json to see what'),
    );
  else process.stderr.write(known ? `remit: ${visibleText(known.message)}\n` : unforeseen(error));
  return exitCodeOf(code);
}

/** What every command may meet that asks where it is. */
function knownFault(error: unknown): RemitError | undefined {
  if ((error as NodeJS.ErrnoException | null)?.syscall !== 'uv_cwd') return undefined;
  return new RemitError('invalid_request', 'the folder that you are in is gone: change to another one', {
    cause: error,
  });
}

/** Commander has already printed the help, or what is wrong with the command line, unless a program is to read it. */
function explainCommandLine({ code, exitCode, message }: CommanderError, json: boolean): ExitCode {
  if (exitCode === 0) return EXIT.ok;
  const what = code === 'commander.help' ? 'no command is named; --help shows them' : message.replace(/^error: /, '');
  if (json) printErrorObject(new RemitError('invalid_request', what));
  return EXIT.badInput;
}

function printErrorObject({ code, message, retryable, nextAction, details }: RemitError): void {
  const error = {
    code,
    message: visibleText(message),
    retryable,
    next_action: nextAction,
    ...(details && { details }),
  };
  process.stderr.write(`${jsonText({ error })}\n`);
}

function unforeseen(error: unknown): string {
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `remit: something unforeseen went wrong; please report it.\n${visibleText(redact(shown))}\n`;
}
