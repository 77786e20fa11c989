import type { TaskView } from '../../app/index.ts';
import { isTerminal } from '../../task/index.ts';
import { stateText } from '../render/states.ts';
import type { Style } from '../terminal.ts';
import { answer, atTask, type DeskWords } from './at-task.ts';

/** Ends a task for good; one that is over is shown as it is. */
export function stopTask(given: string, action: 'cancel' | 'close', words: DeskWords): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    const { status: before } = await desk.show(taskId);
    const view = await desk.control({ task_id: taskId, action });
    answer(view, words, (_, style) => describeStop(view, isTerminal(before.state), style));
  });
}

function describeStop(view: TaskView, wasOver: boolean, style: Style): string {
  const line = `${style('bold', view.task_id)}  ${stateText(view, style)}`;
  if (wasOver) return `${line}\nIt was over already; nothing was changed.`;
  return `${line}\nIts branch ${view.branch} and its worktree ${view.worktree} are kept.`;
}
