import type { TaskView } from '../../app/index.ts';
import { stateText } from '../render/states.ts';
import type { Style } from '../terminal.ts';
import { answer, atTask, type DeskWords } from './at-task.ts';

/** Ends a task for good; one that is over is shown as it is. */
export function stopTask(given: string, action: 'cancel' | 'close', words: DeskWords): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    answer(await desk.control({ task_id: taskId, action }), words, (view, style) => describeStop(view, action, style));
  });
}

function describeStop(view: TaskView, action: 'cancel' | 'close', style: Style): string {
  const { task_id, state, branch, worktree } = view;
  const line = `${style('bold', task_id)}  ${stateText(view, style)}`;
  const isStopped = state === (action === 'cancel' ? 'cancelled' : 'closed');
  if (!isStopped) return `${line}\nIt was over already; nothing was changed.`;
  return `${line}\nIts branch ${branch} and its worktree ${worktree} are kept.`;
}
