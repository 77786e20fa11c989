import type { DatabaseSync } from 'node:sqlite';
import { RemitError } from '../base/index.ts';
import type { Queries, TaskFilter } from './queries.ts';
import type { Owner, StoredInteraction, StoredTask } from './rows.ts';

export type { TaskFilter } from './queries.ts';

const KIBIBYTE = 1024;

/** Largest JSON document of each kind, in bytes: the caller cuts what is longer, the store refuses it. */
const MAX_BYTES = {
  event: 64 * KIBIBYTE,
  interaction: 256 * KIBIBYTE,
  receipt: 256 * KIBIBYTE,
  verification: 4 * 1024 * KIBIBYTE,
  record: 16 * 1024 * KIBIBYTE,
} as const;

export interface NewTask {
  readonly taskId: string;
  readonly repositoryId: string;
  readonly state: string;
  readonly owner: Owner | null;
  readonly record: unknown;
  readonly createdAt: string;
  /** Default: `createdAt`. */
  readonly updatedAt?: string;
}

export interface TaskChange {
  readonly state: string;
  readonly record: unknown;
  /** Left out: stays. Null: nobody works on it. */
  readonly owner?: Owner | null;
  readonly updatedAt: string;
}

/** Reads and writes that happen wholly or not at all. Valid only while the function that it was handed to runs. */
export class Transaction {
  readonly #database: DatabaseSync;
  readonly #queries: Queries;
  #isOver = false;

  constructor(database: DatabaseSync, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  readTask(taskId: string): StoredTask | undefined {
    this.#requireOpen();
    return this.#queries.readTask(taskId);
  }

  listTasks(filter: TaskFilter = {}): StoredTask[] {
    this.#requireOpen();
    return this.#queries.listTasks(filter);
  }

  /** Adds a task at version 1. Ids are unique ignoring letter case: the existing id is the answer where one is taken. */
  insertTask(task: NewTask): 'inserted' | { readonly conflict: string } {
    const existing = this.#get('SELECT task_id FROM tasks WHERE task_id = ? COLLATE NOCASE', [task.taskId]);
    if (existing !== undefined) return { conflict: String(existing['task_id']) };
    this.#run(
      `INSERT INTO tasks (task_id, repository_id, state, version, owner_pid, owner_start_time, owner_id,
         owner_socket, record, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
      [
        task.taskId,
        task.repositoryId,
        task.state,
        ...ownerValues(task.owner),
        toJson('record', task.record),
        task.createdAt,
        task.updatedAt ?? task.createdAt,
      ],
    );
    return 'inserted';
  }

  /** Writes the next version; false, and nothing written, when the task is gone or its version has moved on. */
  updateTask(taskId: string, change: TaskChange, expectedVersion: number): boolean {
    const changed = this.#run(
      'UPDATE tasks SET state = ?, record = ?, updated_at = ?, version = version + 1 WHERE task_id = ? AND version = ?',
      [change.state, toJson('record', change.record), change.updatedAt, taskId, expectedVersion],
    );
    if (changed === 0) return false;
    if (change.owner !== undefined) {
      this.#run(
        'UPDATE tasks SET owner_pid = ?, owner_start_time = ?, owner_id = ?, owner_socket = ? WHERE task_id = ?',
        [...ownerValues(change.owner), taskId],
      );
    }
    return true;
  }

  /** Removes a task and every row that belongs to it; false when there was none. */
  deleteTask(taskId: string): boolean {
    return this.#run('DELETE FROM tasks WHERE task_id = ?', [taskId]) > 0;
  }

  /**
   * The new event's number. Data over 64 KiB of JSON is refused: cut it before. The counter stands with the task, so a
   * number is never given twice even when old events were removed.
   */
  appendEvent(taskId: string, event: { timestamp: string; type: string; data: unknown }): number {
    const data = toJson('event', event.data);
    const row = this.#get(
      'UPDATE tasks SET last_event_seq = last_event_seq + 1 WHERE task_id = ? RETURNING last_event_seq',
      [taskId],
    );
    if (row === undefined) throw new Error(`There is no task ${taskId} for an event.`);
    const seq = Number(row['last_event_seq']);
    this.#run('INSERT INTO events (task_id, seq, timestamp, type, data) VALUES (?, ?, ?, ?, ?)', [
      taskId,
      seq,
      event.timestamp,
      event.type,
      data,
    ]);
    return seq;
  }

  /** The receipt's place in the task's ledger, from 1. At most 256 KiB of JSON. */
  appendReceipt(taskId: string, receipt: unknown): number {
    const seq = this.#nextSeq('receipts', taskId);
    const values = [taskId, seq, toJson('receipt', receipt)];
    this.#run('INSERT INTO receipts (task_id, seq, receipt) VALUES (?, ?, ?)', values);
    return seq;
  }

  /** The verification's number within the task, from 1. At most 4 MiB of JSON. */
  appendVerification(taskId: string, verification: { revision: number; result: unknown }): number {
    const seq = this.#nextSeq('verifications', taskId);
    const values = [taskId, seq, verification.revision, toJson('verification', verification.result)];
    this.#run('INSERT INTO verifications (task_id, seq, revision, result) VALUES (?, ?, ?, ?)', values);
    return seq;
  }

  /** Adds an interaction, or replaces the status and document of the one with this id. At most 256 KiB of JSON. */
  putInteraction(interaction: StoredInteraction): void {
    this.#run(
      `INSERT INTO interactions (task_id, interaction_id, status, interaction) VALUES (?, ?, ?, ?)
       ON CONFLICT (task_id, interaction_id) DO UPDATE SET status = excluded.status, interaction = excluded.interaction`,
      [
        interaction.taskId,
        interaction.interactionId,
        interaction.status,
        toJson('interaction', interaction.interaction),
      ],
    );
  }

  /** Called by the store: what is kept of a transaction beyond its end must not write outside of one. */
  end(): void {
    this.#isOver = true;
  }

  #nextSeq(table: 'receipts' | 'verifications', taskId: string): number {
    const row = this.#get(`SELECT COALESCE(MAX(seq), 0) + 1 AS seq FROM ${table} WHERE task_id = ?`, [taskId]);
    return Number(row?.['seq']);
  }

  #get(sql: string, values: readonly (string | number | null)[]) {
    this.#requireOpen();
    return this.#database.prepare(sql).get(...values);
  }

  #run(sql: string, values: readonly (string | number | null)[]): number {
    this.#requireOpen();
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #requireOpen(): void {
    if (this.#isOver) throw new Error('This transaction is over: use it only inside the function it was handed to.');
  }
}

function ownerValues(owner: Owner | null): [number | null, string | null, string | null, string | null] {
  return owner === null ? [null, null, null, null] : [owner.pid, owner.startTime, owner.ownerId, owner.socket];
}

/** JSON text of a document. Lone surrogates, which stand for bytes of file names, come out as escapes and survive. */
function toJson(kind: keyof typeof MAX_BYTES, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES[kind]) return text;
  throw new RemitError(
    'output_limit_exceeded',
    `A stored ${kind} may have at most ${MAX_BYTES[kind]} bytes of JSON, this one has ${bytes}: cut its longest texts.`,
    { details: { kind, bytes, max_bytes: MAX_BYTES[kind] } },
  );
}
