import type { TaskRecord } from '../task/index.ts';
import { requireControl } from './access.ts';
import type { CallContext } from './operations.ts';
import type { HostRooms } from './rooms.ts';
import { requireTaskId } from './task-id.ts';
import { viewTask } from './task-view.ts';
import { waitSeconds } from './waiting.ts';
import type { ControlAction, ControlOutput } from './wire-schemas.ts';

/** Guides, answers, finalizes or stops a task. */
export async function control(rooms: HostRooms, input: ControlAction, context: CallContext): Promise<ControlOutput> {
  requireTaskId(input.task_id);
  await requireControl(rooms, rooms.journal.read(input.task_id), context);
  await rooms.recover(input.task_id);
  const wait = input.action === 'finalize' ? waitSeconds(rooms, input.wait_timeout_seconds, context) : 0;
  return (await rooms.owners.control(input, wait, context)) ?? controlHere(rooms, input, context);
}

/** Acts in this process, for a caller whose authority is established. */
export async function controlHere(
  rooms: HostRooms,
  input: ControlAction,
  context: CallContext,
): Promise<ControlOutput> {
  requireTaskId(input.task_id);
  return viewTask(await act(rooms, input, context));
}

function act(rooms: HostRooms, input: ControlAction, context: CallContext): Promise<TaskRecord> | TaskRecord {
  switch (input.action) {
    case 'steer':
      return rooms.tasks.steer(input.task_id, input.message);
    case 'respond':
      return rooms.tasks.respond(input.task_id, input.interaction_id, {
        decision: input.decision,
        option_id: input.option_id,
        answer: input.answer,
      });
    case 'finalize':
      return finalize(rooms, input, context);
    case 'cancel':
      return stop(rooms, input.task_id, 'cancelled');
    case 'close':
      return stop(rooms, input.task_id, 'closed');
  }
}

async function stop(rooms: HostRooms, taskId: string, how: 'cancelled' | 'closed'): Promise<TaskRecord> {
  const reason = how === 'closed' ? 'Closed by the supervisor.' : 'Cancelled by the supervisor.';
  const stopped = await rooms.tasks.stop(taskId, how, reason);
  await rooms.finalizer.abort(taskId);
  return stopped;
}

/** Holds until the task is committed or back at review, at most for the call's wait; finalizing itself goes on. */
async function finalize(
  rooms: HostRooms,
  input: Extract<ControlAction, { action: 'finalize' }>,
  context: CallContext,
): Promise<TaskRecord> {
  const { done } = await rooms.finalizer.begin(input.task_id, {
    reviewSummary: input.review_summary,
    approvedCriteria: input.approved_review_criteria,
    expectedRevision: input.expected_review_revision,
    expectedTree: input.expected_review_tree_hash,
    commitMessage: input.commit_message,
  });
  done.catch(() => {});
  const stopReporting = rooms.journal.listen(input.task_id, (record) => {
    if (record) context.progress.report(`${record.status.state}: ${record.status.phase}`);
  });
  using wait = new Pause(waitSeconds(rooms, input.wait_timeout_seconds, context) * 1000, context.signal);
  try {
    return await Promise.race([done, wait.over.then(() => rooms.journal.read(input.task_id))]);
  } finally {
    stopReporting();
  }
}

/** Ends after its time or when the call is cancelled, whichever is first; leaves no timer behind. */
class Pause {
  readonly over: Promise<void>;
  #end: () => void = () => {};

  constructor(milliseconds: number, signal: AbortSignal) {
    this.over = new Promise((resolve) => {
      if (signal.aborted) resolve();
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#end = () => clearTimeout(timer);
    });
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
