import { RemitError } from '../base/index.ts';
import type { TaskRecord, TaskState, TaskStatus } from './record.ts';

/** Which state may follow which; the wire's table (`wire/errors.json`) and no other place. */
export const TRANSITIONS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  provisioning: ['running', 'paused', 'failed', 'cancelled', 'closed'],
  running: ['waiting_permission', 'waiting_input', 'paused', 'review_required', 'failed', 'cancelled', 'closed'],
  waiting_permission: ['running', 'paused', 'failed', 'cancelled', 'closed'],
  waiting_input: ['running', 'paused', 'failed', 'cancelled', 'closed'],
  paused: ['running', 'failed', 'cancelled', 'closed'],
  review_required: ['running', 'paused', 'verifying', 'failed', 'cancelled', 'closed'],
  verifying: ['paused', 'review_required', 'completed', 'commit_failed', 'failed', 'cancelled'],
  completed: [],
  commit_failed: [],
  failed: [],
  cancelled: [],
  closed: [],
};

export function isTerminal(state: TaskState): boolean {
  return TRANSITIONS[state].length === 0;
}

/** States in which a worker may be at work, so that a kill of the host leaves the task to be recovered. */
export function isWorking(state: TaskState): boolean {
  return ['provisioning', 'running', 'waiting_permission', 'waiting_input'].includes(state);
}

/** The record with its next status. A step that the table does not have is a broken promise of ours: it throws. */
export function moveTo(record: TaskRecord, status: TaskStatus): TaskRecord {
  const from = record.status.state;
  if (from !== status.state && !TRANSITIONS[from].includes(status.state)) {
    throw new RemitError('invalid_state', `Task ${record.task_id} is ${from}: it cannot become ${status.state}.`, {
      details: { state: from },
    });
  }
  return { ...record, status };
}
