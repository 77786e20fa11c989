import type { CapturedOutput } from '../process/index.ts';
import type { LauncherFailure } from './launcher-failure.ts';

export interface CommandOptions {
  readonly timeoutMs: number;
  /** How much of each of stdout and stderr is kept. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((stream: 'stdout' | 'stderr', chunk: Buffer) => void | Promise<void>) | undefined;
}

/** How a program in the box ended. The last three say that it never ran. */
export type CommandOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number }
  /**
   * Killed by a signal, or exited with 128 plus the number of a deadly one: the launcher, like every shell, reports the
   * first as the second, and a program that imitates it did not succeed either.
   */
  | { readonly kind: 'signalled'; readonly signal: string }
  /** SIGKILL while the kernel's count of out-of-memory kills grew. */
  | { readonly kind: 'out_of_memory' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'program_not_found'; readonly reason: string }
  | { readonly kind: 'cwd_not_found'; readonly reason: string }
  | ({ readonly kind: 'launcher_failed' } & LauncherFailure);

export interface CommandResult {
  readonly outcome: CommandOutcome;
  /** What the program wrote; of a launcher failure, what the launcher wrote. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** false: nothing confined this program. */
  readonly confined: boolean;
}
