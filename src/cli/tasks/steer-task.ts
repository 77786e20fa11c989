import { RemitError } from '../../base/index.ts';
import { MAX_REPAIR_ROUNDS } from '../../task/index.ts';
import { readSource } from '../read-source.ts';
import { stateText } from '../render/states.ts';
import { answer, atTask, type DeskWords } from './at-task.ts';

/** Guides the worker, or asks for a repair at review. The message is the argument, or standard input for `-`. */
export function steerTask(given: string, message: string, words: DeskWords): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    const text = message === '-' ? (await readSource('-')).trim() : message;
    if (text.trim() === '')
      throw new RemitError('invalid_request', 'The message is empty: say what the worker should do.');
    const before = await desk.show(taskId);
    const view = await desk.control({ task_id: taskId, action: 'steer', message: text });
    const isRepair = before.status.state === 'review_required';
    answer(view, words, (_, style) =>
      [
        `${style('bold', taskId)}  ${stateText(view, style)}`,
        isRepair ? `Repair round ${view.repair_rounds} of ${MAX_REPAIR_ROUNDS} has begun.` : 'The worker was told.',
        `Follow it: remit task watch ${taskId}`,
      ].join('\n'),
    );
  });
}
