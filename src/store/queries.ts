import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';
import { damaged } from './database-error.ts';
import {
  eventRow,
  interactionRow,
  listedTaskRow,
  receiptRow,
  type StoredEvent,
  type StoredInteraction,
  type StoredReceipt,
  type StoredTask,
  type StoredVerification,
  taskRow,
  verificationRow,
} from './rows.ts';

/** Which tasks; a field that is left out restricts nothing, an empty `states` matches no task. */
export interface TaskFilter {
  readonly repositoryId?: string;
  readonly states?: readonly string[];
  readonly ownerId?: string;
}

export interface EventRange {
  /** Only events after this one. */
  readonly afterSeq?: number;
  /** At most so many, the oldest first; without it all. */
  readonly limit?: number;
}

/** Reads of one connection, inside or outside a transaction; each row is validated, a wrong one names its place. */
export class Queries {
  readonly #database: DatabaseSync;
  readonly #file: string;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** The task of exactly this id, letter case included. */
  readTask(taskId: string): StoredTask | undefined {
    return this.#all(taskRow, 'SELECT * FROM tasks WHERE task_id = ?', [taskId])[0];
  }

  /** In order of creation. A record that is no JSON is `undefined`; reading that task alone names the fault. */
  listTasks(filter: TaskFilter = {}): StoredTask[] {
    const conditions: string[] = [];
    const values: string[] = [];
    if (filter.repositoryId !== undefined) {
      conditions.push('repository_id = ?');
      values.push(filter.repositoryId);
    }
    if (filter.ownerId !== undefined) {
      conditions.push('owner_id = ?');
      values.push(filter.ownerId);
    }
    if (filter.states !== undefined) {
      conditions.push('state IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(filter.states));
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    return this.#all(listedTaskRow, `SELECT * FROM tasks ${where} ORDER BY created_at, task_id`, values);
  }

  readEvents(taskId: string, { afterSeq = 0, limit }: EventRange = {}): StoredEvent[] {
    const sql = 'SELECT * FROM events WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?';
    return this.#all(eventRow, sql, [taskId, afterSeq, limit ?? -1]);
  }

  /** The newest event of one of these types. */
  readLastEvent(taskId: string, types: readonly string[]): StoredEvent | undefined {
    const isOne = 'type IN (SELECT value FROM json_each(?))';
    const sql = `SELECT * FROM events WHERE task_id = ? AND ${isOne} ORDER BY seq DESC LIMIT 1`;
    return this.#all(eventRow, sql, [taskId, JSON.stringify(types)])[0];
  }

  readReceipts(taskId: string): StoredReceipt[] {
    return this.#all(receiptRow, 'SELECT * FROM receipts WHERE task_id = ? ORDER BY seq', [taskId]);
  }

  /** The newest receipt of a task. */
  readLastReceipt(taskId: string): StoredReceipt | undefined {
    return this.#all(receiptRow, 'SELECT * FROM receipts WHERE task_id = ? ORDER BY seq DESC LIMIT 1', [taskId])[0];
  }

  readVerifications(taskId: string): StoredVerification[] {
    return this.#all(verificationRow, 'SELECT * FROM verifications WHERE task_id = ? ORDER BY seq', [taskId]);
  }

  /** In the order in which they were first put. */
  readInteractions(taskId: string): StoredInteraction[] {
    return this.#all(interactionRow, 'SELECT * FROM interactions WHERE task_id = ? ORDER BY position', [taskId]);
  }

  #all<T>(schema: z.ZodType<T>, sql: string, values: readonly SQLInputValue[]): T[] {
    const rows = this.#database.prepare(sql).all(...values);
    return rows.map((row) => {
      const parsed = schema.safeParse(row);
      if (parsed.success) return parsed.data;
      const issue = parsed.error.issues[0];
      throw damaged(this.#file, parsed.error, `task ${row['task_id']}, ${issue?.path.join('.')} ${issue?.message}`);
    });
  }
}
