import { pause } from './landing.ts';
import { isTerminal, isWorking } from './lifecycle.ts';
import { ownershipOf } from './ownership.ts';
import type { TaskRecord } from './record.ts';
import type { TaskTools } from './tools.ts';

/** Decides, by the branch, what became of a verification that was cut off; `review/` knows how. */
export type SettleVerification = (record: TaskRecord) => Promise<TaskRecord>;

/** Lands the tasks of every host that died. Tasks of one that lives are left alone. */
export async function recoverTasks(tools: TaskTools, settle: SettleVerification): Promise<void> {
  for (const record of tools.journal.listLiving()) {
    try {
      await recoverTask(record, tools, settle);
    } catch (error) {
      tools.log('error', 'a task could not be recovered', { task: record.task_id, error: String(error) });
    }
  }
}

/** If the task's host died: what was at work is paused with fresh tokens, what was verifying is decided by the branch. */
export async function recoverTask(record: TaskRecord, tools: TaskTools, settle: SettleVerification): Promise<void> {
  if (isTerminal(record.status.state) || ownershipOf(tools.journal, record.task_id).kind !== 'dead') return;
  if (record.status.state === 'verifying') await settleUnlessSettled(record, tools, settle);
  else if (isWorking(record.status.state)) pauseCutOff(record, tools);
}

/** Whoever watches hears of a death at the same moment: another process may be the first, and then this one has nothing to decide. */
async function settleUnlessSettled(record: TaskRecord, tools: TaskTools, settle: SettleVerification): Promise<void> {
  try {
    await settle(record);
  } catch (error) {
    if (tools.journal.find(record.task_id)?.status.state === 'verifying') throw error;
  }
}

function pauseCutOff(record: TaskRecord, tools: TaskTools): void {
  const reason = 'The host stopped while this task was at work; its worktree is kept. Resume to go on.';
  const open = tools.store.readInteractions(record.task_id).filter(({ status }) => status === 'pending');
  // Another process may have landed it meanwhile, and have a worker at work on it again.
  const isCutOff = (now: TaskRecord) =>
    isWorking(now.status.state) && ownershipOf(tools.journal, now.task_id).kind === 'dead';
  tools.journal.change(
    record.task_id,
    { type: 'recovered' },
    (now) => (isCutOff(now) ? pause(now, 'host_restarted', reason) : undefined),
    (tx) => {
      for (const row of open) {
        const interaction = { ...(row.interaction as object), status: 'cancelled' };
        tx.putInteraction({ ...row, status: 'cancelled', interaction });
      }
    },
  );
}
