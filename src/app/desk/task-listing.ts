import { z } from 'zod';
import { parseStoredContract } from '../../contract/index.ts';
import type { TaskRecord } from '../../task/index.ts';
import type { HostRooms } from '../rooms.ts';
import { viewTask } from '../task-view.ts';
import { taskViewShape } from '../wire/task-view.ts';
import { someText } from '../wire/words.ts';

/** One task in a list. */
const listedTaskSchema = z.strictObject({
  task_id: taskViewShape.task_id,
  state: taskViewShape.state,
  phase: taskViewShape.phase,
  objective: someText.describe('What the contract asks for.'),
  repository: someText.describe('Root of the repository that it was delegated in.'),
  branch: taskViewShape.branch,
  worker: someText.describe('Name of its worker in the configuration.'),
  created_at: someText.describe('When it was delegated, ISO 8601 in UTC.'),
  updated_at: taskViewShape.updated_at,
  reason: taskViewShape.reason,
  commit_hash: taskViewShape.commit_hash,
});

export const taskListingSchema = z.strictObject({
  tasks: z.array(listedTaskSchema).describe('The newest first.'),
});

export type ListedTask = z.output<typeof listedTaskSchema>;
export type TaskListing = z.output<typeof taskListingSchema>;

export interface ListFilter {
  /** Only those of the repository whose root or folder this is. */
  readonly repositoryId?: string;
  /** Only those that are not over. */
  readonly onlyLiving?: boolean;
}

export function listTasks(rooms: HostRooms, filter: ListFilter): TaskListing {
  const records = filter.onlyLiving
    ? rooms.journal.listLiving(filter.repositoryId)
    : rooms.journal.list(filter.repositoryId);
  return { tasks: records.map(listed).reverse() };
}

function listed(record: TaskRecord): ListedTask {
  const { task_id, state, phase, branch, updated_at, reason, commit_hash } = viewTask(record);
  return {
    task_id,
    state,
    phase,
    objective: parseStoredContract(record.contract).objective,
    repository: record.repository.root,
    branch,
    worker: record.worker,
    created_at: record.created_at,
    updated_at,
    ...(reason !== undefined && { reason }),
    ...(commit_hash !== undefined && { commit_hash }),
  };
}
