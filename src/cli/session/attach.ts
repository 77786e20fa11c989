import { Detach } from '../detach.ts';
import type { ExitCode } from '../exit-codes.ts';
import { atTask, type DeskWords } from '../tasks/at-task.ts';
import { type ApprovalWords, readManner } from './approval-words.ts';
import { canAsk, holdSession, openScreen } from './hold.ts';

export type AttachWords = ApprovalWords & DeskWords;

/** Comes back to a task, named by its id or a beginning of it, and stays with it. */
export async function attach(given: string, words: AttachWords): Promise<ExitCode> {
  const json = words.json === true;
  using detach = new Detach();
  // Awaited here: signals are listened to until the end.
  return await atTask(given, words, async (desk, taskId) => {
    const { contract } = await desk.show(taskId);
    const manner = readManner(words, contract.acceptance_criteria, canAsk());
    return holdSession(desk, { taskId, manner, screen: await openScreen(json), detach, isNew: false, json });
  });
}
