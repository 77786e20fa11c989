import type { TaskDetail } from '../../app/index.ts';
import { needsSomebody } from '../render/states.ts';

/** What a person who leaves must know: that the task is safe, and how to come back to it or stop it. */
export function leavingLines({ task_id, state }: Pick<TaskDetail['status'], 'task_id' | 'state'>): string[] {
  return [
    `remit: you left; task ${task_id} ${whatItDoes(state)}`,
    `  come back:  remit task attach ${task_id}`,
    `  stop it:    remit task cancel ${task_id}`,
  ];
}

function whatItDoes(state: TaskDetail['status']['state']): string {
  switch (state) {
    case 'review_required':
      return 'waits for its review';
    case 'paused':
      return 'is paused';
    case 'waiting_permission':
    case 'waiting_input':
      return 'waits for an answer';
    case 'verifying':
      return 'goes on in the background: it is being verified and then committed';
    default:
      return needsSomebody(state) ? 'waits' : 'goes on in the background';
  }
}
