import { isSameProcess } from '../process/index.ts';
import { pause } from './landing.ts';
import { isWorking } from './lifecycle.ts';
import type { TaskRecord } from './record.ts';
import type { TaskTools } from './tools.ts';

/**
 * Lands the tasks of hosts that died: what was at work is paused with fresh tokens, what was verifying is decided by
 * `settleVerification`. Tasks of a host that lives, told by pid and start time, are left alone.
 */
export async function recoverTasks(
  tools: TaskTools,
  settleVerification: (record: TaskRecord) => Promise<TaskRecord>,
): Promise<void> {
  for (const record of tools.journal.listLiving()) {
    const owner = tools.journal.ownerOf(record.task_id);
    if (owner && isSameProcess(owner.pid, owner.startTime)) continue;
    try {
      await recover(record, tools, settleVerification);
    } catch (error) {
      tools.log('error', 'a task could not be recovered', { task: record.task_id, error: String(error) });
    }
  }
}

async function recover(
  record: TaskRecord,
  tools: TaskTools,
  settleVerification: (record: TaskRecord) => Promise<TaskRecord>,
): Promise<void> {
  if (record.status.state === 'verifying') {
    await settleVerification(record);
    return;
  }
  if (!isWorking(record.status.state)) return;
  for (const row of tools.store.readInteractions(record.task_id)) {
    if (row.status !== 'pending') continue;
    const interaction = { ...(row.interaction as object), status: 'cancelled' };
    tools.store.transaction((tx) => tx.putInteraction({ ...row, status: 'cancelled', interaction }));
  }
  const reason = 'The host stopped while this task was at work; its worktree is kept. Resume to go on.';
  tools.journal.change(record.task_id, { type: 'recovered' }, (now) =>
    isWorking(now.status.state) ? pause(now, 'host_restarted', reason) : now,
  );
}
