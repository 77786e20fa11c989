import { OutputCapture } from '../process/index.ts';
import type { CommandResult } from './command-result.ts';
import type { LauncherFailure } from './launcher-failure.ts';

/** The result of a run for which nothing was started. */
export function refusedResult(failure: LauncherFailure): CommandResult {
  const nothing = new OutputCapture(0).finish();
  const now = new Date().toISOString();
  const outcome = { kind: 'launcher_failed', ...failure } as const;
  return { outcome, stdout: nothing, stderr: nothing, startedAt: now, finishedAt: now, confined: true };
}
