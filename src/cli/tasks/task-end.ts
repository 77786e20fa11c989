import type { TaskView } from '../../app/index.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

type Standing = Pick<TaskView, 'state' | 'phase'>;

/** Where a task at review came from, when finalizing it failed. */
const FAILED_FINALIZE: Readonly<Record<string, ExitCode>> = {
  verification_failed: EXIT.verificationFailed,
  sandbox_unavailable: EXIT.sandboxUnavailable,
};

/** How a command ends that followed a task to where it stands now; one that was not followed to its end has no code. */
export function exitCodeOfTask({ state, phase }: Standing): ExitCode | undefined {
  switch (state) {
    case 'provisioning':
    case 'running':
    case 'verifying':
      return undefined;
    case 'waiting_permission':
    case 'waiting_input':
    case 'paused':
      return EXIT.paused;
    case 'review_required':
      return FAILED_FINALIZE[phase] ?? EXIT.reviewNeeded;
    case 'completed':
      return EXIT.ok;
    case 'commit_failed':
    case 'failed':
    case 'cancelled':
    case 'closed':
      return EXIT.internal;
  }
}
