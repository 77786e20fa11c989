import { RemitError } from '../base/index.ts';
import { isSameProcess } from '../process/index.ts';
import type { Owner } from '../store/index.ts';
import type { Journal } from './journal.ts';
import { isWorking } from './lifecycle.ts';
import type { TaskRecord } from './record.ts';

/** ours: this process; living: another Remit that lives; dead: its process is gone, told by pid and start time. */
export type Ownership =
  | { readonly kind: 'ours' }
  | { readonly kind: 'living'; readonly owner: Owner }
  | { readonly kind: 'dead' };

export function ownershipOf(journal: Journal, taskId: string): Ownership {
  const owner = journal.ownerOf(taskId);
  if (owner?.ownerId === journal.owner.ownerId) return { kind: 'ours' };
  return owner && isSameProcess(owner.pid, owner.startTime) ? { kind: 'living', owner } : { kind: 'dead' };
}

/** What needs the task's own worker is refused while another living process has it: two would work in one worktree. */
export function requireNoOtherOwner(journal: Journal, record: TaskRecord, action: string): void {
  // Where no worker is at work, the other hears of the change and puts its idle one to rest.
  if (!isWorking(record.status.state) && record.status.state !== 'verifying') return;
  const ownership = ownershipOf(journal, record.task_id);
  if (ownership.kind !== 'living') return;
  throw new RemitError(
    'invalid_state',
    `Task ${record.task_id} is worked on by another Remit process (pid ${ownership.owner.pid}): ${action} it from the client that delegated it, or end that client first.`,
    { details: { state: record.status.state, owner_pid: ownership.owner.pid } },
  );
}
