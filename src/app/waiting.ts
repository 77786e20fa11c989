import { isWorking, type TaskRecord } from '../task/index.ts';
import type { CallContext } from './operations.ts';
import type { HostRooms } from './rooms.ts';

/** A call is held until somebody has something to do: a review, an answer, a resume, or nothing any more. */
export function needsNobody(record: TaskRecord): boolean {
  const { state } = record.status;
  return state === 'verifying' || (isWorking(state) && state !== 'waiting_permission' && state !== 'waiting_input');
}

/**
 * Waits at most as long as the call says; else 280 s when its client follows progress and 50 s when not (both are
 * settings), so that a client that gives up after a minute gets an answer. The task goes on in any case.
 */
export async function waitForTask(
  rooms: HostRooms,
  taskId: string,
  seconds: number | undefined,
  context: CallContext,
): Promise<{ record: TaskRecord; timedOut: boolean }> {
  const stopReporting = rooms.journal.listen(taskId, (record) => {
    if (record) context.progress.report(`${record.status.state}: ${record.status.phase}`);
  });
  using _watch = rooms.owners.watch(taskId);
  try {
    return await rooms.journal.wait(taskId, (record) => !needsNobody(record), {
      timeoutMs: waitSeconds(rooms, seconds, context) * 1000,
      signal: context.signal,
    });
  } finally {
    stopReporting();
  }
}

export function waitSeconds(rooms: HostRooms, seconds: number | undefined, context: CallContext): number {
  const { waitSecondsWithProgress, waitSecondsWithoutProgress } = rooms.configuration;
  return seconds ?? (context.progress.requested ? waitSecondsWithProgress : waitSecondsWithoutProgress);
}
