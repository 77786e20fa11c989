import { describeEvidence } from '../render/describe-evidence.ts';
import { describeTask } from '../render/describe-task.ts';
import { answer, atTask, type DeskWords } from './at-task.ts';

export function showTask(given: string, words: DeskWords & { evidence?: boolean }): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    if (words.evidence) answer(await desk.evidence(taskId), words, describeEvidence);
    else answer(await desk.show(taskId), words, describeTask);
  });
}
