import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { RemitError } from '../base/index.ts';
import {
  createWorktree,
  openWorkspace,
  type RepositoryFacts,
  removeWorktree,
  settleWorkspace,
  type Workspace,
} from '../git/index.ts';
import type { TaskRecord } from './record.ts';
import { taskRepository } from './task-repository.ts';
import type { TaskTools } from './tools.ts';

/** Makes branch, worktree and the host's private view of it; on refusal nothing of them stays. `known`: facts of the base. */
export async function makeWorktree(record: TaskRecord, tools: TaskTools, known?: RepositoryFacts): Promise<void> {
  const repository = taskRepository(record);
  const made = await mkdir(tools.places.workspace(record.task_id), { recursive: true, mode: 0o700 });
  const options = {
    branch: record.branch,
    directory: record.worktree,
    base: record.base_commit,
    hostDirectory: tools.places.workspace(record.task_id),
  };
  const outcome = await createWorktree(tools.git, repository, options, known);
  if (outcome.kind !== 'created') {
    // Only what this call made: the folder may hold the work of a task that this store has forgotten.
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw new RemitError('ownership_ambiguous', outcome.reason, { retryable: outcome.kind === 'locked' });
  }
  await settleWorkspace(outcome.workspace);
}

/** The host's own view of the task's worktree. */
export function openTaskWorkspace(record: TaskRecord, tools: Pick<TaskTools, 'git' | 'places'>): Promise<Workspace> {
  return openWorkspace(tools.git, taskRepository(record), {
    worktree: record.worktree,
    base: record.base_commit,
    hostDirectory: tools.places.workspace(record.task_id),
  });
}

/** A kill while the worktree was being made leaves a task without one: it is completed before work goes on. */
export async function ensureWorktree(record: TaskRecord, tools: TaskTools): Promise<void> {
  if (existsSync(record.worktree) && (await isWhole(record, tools))) return;
  if (record.prompts_begun > 0) {
    throw new RemitError(
      'ownership_ambiguous',
      `The worktree of task ${record.task_id} is gone: close the task and delegate a new one.`,
    );
  }
  await takeBackWorktree(record, tools);
  await makeWorktree(record, tools);
}

/** The host's view is written last, so where it opens the checkout was finished. */
async function isWhole(record: TaskRecord, tools: TaskTools): Promise<boolean> {
  return openTaskWorkspace(record, tools).then(
    () => true,
    () => false,
  );
}

/** Takes back what a task that never began has made: worktree, branch at base, its folder. */
export async function takeBackWorktree(record: TaskRecord, tools: TaskTools): Promise<void> {
  await removeWorktree(tools.git, taskRepository(record), {
    directory: record.worktree,
    deleteBranch: { branch: record.branch, at: record.base_commit },
  });
  await rm(tools.places.task(record.task_id), { recursive: true, force: true });
}
