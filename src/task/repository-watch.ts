import { visibleLine } from '../base/index.ts';
import { compareRefs, snapshotRefs } from '../git/index.ts';
import { listPaths } from './landing.ts';
import type { TaskRecord } from './record.ts';
import { taskRepository } from './task-repository.ts';
import type { TaskTools } from './tools.ts';

/**
 * Looks at refs, stash, settings and hooks of the caller's repository while a worker is at work that nothing confines. The
 * answer is asked for at the end of the turn: the names of what changed. A confined worker cannot write there, and what
 * other people did meanwhile is no concern of its review.
 */
export async function watchRepository(record: TaskRecord, tools: TaskTools): Promise<() => Promise<string[]>> {
  if ((await tools.sandbox()).engine.kind !== 'unconfined') return async () => [];
  const repository = taskRepository(record);
  const before = await snapshotRefs(tools.git, repository);
  return async () => {
    const after = await snapshotRefs(tools.git, repository);
    return compareRefs(before, after, (name) => isOfOtherTask(name, record)).map(({ name }) => visibleLine(name));
  };
}

export function describeChanged(names: readonly string[]): string {
  return (
    `Changed in the repository while this worker, which nothing confined, was at work: ${listPaths(names)}. ` +
    'Undo what neither you nor another task did.'
  );
}

/** Other tasks begin and end meanwhile: their branches and worktrees come and go. */
function isOfOtherTask(name: string, { branch, task_id }: TaskRecord): boolean {
  if (name.startsWith('refs/heads/remit/')) return name !== `refs/heads/${branch}`;
  return name.startsWith('worktrees/') && !name.startsWith(`worktrees/${task_id}/`);
}
