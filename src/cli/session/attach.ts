import type { SettingFlags } from '../../app/index.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withDesk } from '../with-desk.ts';
import { type ApprovalWords, readManner } from './approval-words.ts';
import { Detach } from './detach.ts';
import { canAsk, holdSession, openScreen } from './hold.ts';

export type AttachWords = ApprovalWords & Pick<SettingFlags, 'stateDir' | 'logLevel'>;

/** Comes back to a task and stays with it. */
export async function attach(taskId: string, words: AttachWords): Promise<ExitCode> {
  const json = words.json === true;
  using detach = new Detach();
  const { stateDir, logLevel } = words;
  return withDesk({ stateDir, logLevel }, async (desk) => {
    const { contract } = await desk.show(taskId);
    const manner = readManner(words, contract.acceptance_criteria, canAsk());
    return holdSession(desk, { taskId, manner, screen: await openScreen(json), detach, isNew: false, json });
  });
}
