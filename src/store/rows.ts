import { z } from 'zod';

/** The living process that works on a task. A pid alone is reused by the system; with its start time it is one process. */
export interface Owner {
  readonly pid: number;
  readonly startTime: string;
  /** Made by the process itself, unique for each start. */
  readonly ownerId: string;
  /** Where it listens for other processes of this user; null when it does not. */
  readonly socket: string | null;
}

/** `record` is the JSON document that `task/` owns. `version` grows by one with each update. */
export interface StoredTask {
  readonly taskId: string;
  readonly repositoryId: string;
  readonly state: string;
  readonly version: number;
  readonly owner: Owner | null;
  readonly record: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StoredEvent {
  readonly taskId: string;
  /** From 1, strictly increasing within a task. */
  readonly seq: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: unknown;
}

export interface StoredReceipt {
  readonly taskId: string;
  readonly seq: number;
  readonly receipt: unknown;
}

export interface StoredVerification {
  readonly taskId: string;
  readonly seq: number;
  /** The review revision that was verified. */
  readonly revision: number;
  readonly result: unknown;
}

export interface StoredInteraction {
  readonly taskId: string;
  readonly interactionId: string;
  readonly status: 'pending' | 'resolved' | 'cancelled';
  readonly interaction: unknown;
}

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});
const count = z.int().nonnegative();
const keyed = { task_id: z.string().min(1), seq: count };

const ownerColumns = {
  owner_pid: count.nullable(),
  owner_start_time: z.string().nullable(),
  owner_id: z.string().nullable(),
  owner_socket: z.string().nullable(),
};

const taskColumns = z.object({
  task_id: z.string().min(1),
  repository_id: z.string(),
  state: z.string().min(1),
  version: count,
  ...ownerColumns,
  record: json,
  created_at: z.string(),
  updated_at: z.string(),
});

export const taskRow = taskColumns.transform(storedTask);

/** In a list one broken record must not take all the others away: it comes as `undefined`. */
export const listedTaskRow = taskColumns.extend({ record: json.catch(undefined) }).transform(storedTask);

function storedTask(row: z.infer<typeof taskColumns>): StoredTask {
  return {
    taskId: row.task_id,
    repositoryId: row.repository_id,
    state: row.state,
    version: row.version,
    owner: ownerOf(row),
    record: row.record,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function ownerOf(row: {
  owner_pid: number | null;
  owner_start_time: string | null;
  owner_id: string | null;
  owner_socket: string | null;
}): Owner | null {
  const { owner_pid: pid, owner_start_time: startTime, owner_id: ownerId, owner_socket: socket } = row;
  return pid === null || startTime === null || ownerId === null ? null : { pid, startTime, ownerId, socket };
}

export const eventRow = z
  .object({ ...keyed, timestamp: z.string(), type: z.string().min(1), data: json })
  .transform(({ task_id, ...row }): StoredEvent => ({ taskId: task_id, ...row }));

export const receiptRow = z
  .object({ ...keyed, receipt: json })
  .transform(({ task_id, ...row }): StoredReceipt => ({ taskId: task_id, ...row }));

export const verificationRow = z
  .object({ ...keyed, revision: count, result: json })
  .transform(({ task_id, ...row }): StoredVerification => ({ taskId: task_id, ...row }));

export const interactionRow = z
  .object({
    task_id: z.string().min(1),
    interaction_id: z.string().min(1),
    status: z.enum(['pending', 'resolved', 'cancelled']),
    interaction: json,
  })
  .transform(
    (row): StoredInteraction => ({
      taskId: row.task_id,
      interactionId: row.interaction_id,
      status: row.status,
      interaction: row.interaction,
    }),
  );
