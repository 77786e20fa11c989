import { isBusy } from './database-error.ts';

/** Attempts in all; each waits for the busy timeout inside SQLite. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a step again while another process holds the lock. SQLite answers some conflicts (a change of journal mode,
 * recovery after a crash) at once instead of waiting for the busy timeout, so a short pause stands between attempts.
 */
export function retryWhileBusy<T>(step: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return step();
    } catch (error) {
      if (!isBusy(error) || attempt >= MAX_ATTEMPTS) throw error;
      pause(20 * attempt);
    }
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
