import { RemitError } from '../base/index.ts';
import { alteredFiles } from '../git/index.ts';
import type { CommandOutcome } from '../sandbox/index.ts';
import { type CheckContext, STREAM_BYTES, testbedProfile } from './run-check.ts';

const SCANNER_TIMEOUT_MS = 300_000;

/**
 * The operator's own scanner looks at the reviewed tree. Exit 0 is nothing found, any other exit a finding
 * (`secret_detected`); what it says may hold the secret and is not repeated. Answers which tracked files it left different.
 */
export async function runScanner(argv: readonly string[], context: CheckContext): Promise<readonly string[]> {
  const { tools, signal, testbed } = context;
  const sandbox = await tools.sandbox();
  const profile = testbedProfile(testbed.directory, context);
  const ran = await sandbox.run(profile, argv, { timeoutMs: SCANNER_TIMEOUT_MS, maxOutputBytes: STREAM_BYTES, signal });
  signal.throwIfAborted();
  const problem = scannerProblem(ran.outcome);
  if (problem) throw problem;
  return alteredFiles(tools.git, testbed);
}

function scannerProblem(outcome: CommandOutcome): RemitError | undefined {
  switch (outcome.kind) {
    case 'exited':
      return outcome.exitCode === 0 ? undefined : scannerFound(outcome.exitCode);
    case 'launcher_failed':
      return new RemitError('sandbox_unavailable', `${outcome.reason} ${outcome.advice}`.trim());
    case 'program_not_found':
      return scannerUnusable('its program is not there');
    case 'timed_out':
      return scannerUnusable(`it did not end within ${SCANNER_TIMEOUT_MS / 1000} s`);
    case 'signalled':
      return scannerUnusable(`it was killed by ${outcome.signal}`);
    case 'out_of_memory':
      return scannerUnusable('it was killed for want of memory');
    case 'cwd_not_found':
    case 'aborted':
      return scannerUnusable('it did not run');
  }
}

function scannerFound(exitCode: number): RemitError {
  return new RemitError(
    'secret_detected',
    `The secret scanner that the operator configured ended with exit code ${exitCode} on the reviewed tree. Run it in the worktree to see why, steer a repair, then finalize again.`,
  );
}

/** `invalid_request` as for every setting that does not work: a repair by the worker could not help, the operator can. */
function scannerUnusable(why: string): RemitError {
  return new RemitError(
    'invalid_request',
    `Setting secretScannerArgv: ${why}, so the reviewed tree was not searched and nothing was committed. Have the operator correct the setting or the scanner, then finalize again.`,
  );
}
