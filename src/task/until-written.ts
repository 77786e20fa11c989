import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../base/index.ts';
import { isPassing } from '../store/index.ts';

/** Between attempts, doubled each time. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Tries a change that tells how work ended until the store takes it: work is over whether the disk has room to say so or
 * not, and a task that is not landed would be at work for ever. After an abort it is tried once more.
 */
export async function untilWritten<T>(
  taskId: string,
  write: () => T | Promise<T>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      log('warn', 'the end of work cannot be written yet', { task: taskId, error: String(error) });
    }
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }
}
