import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CommitBell } from './commit-bell.ts';
import { openDatabase, requireOwnVersion } from './database.ts';
import { describeDatabaseError } from './database-error.ts';
import { type EventRange, Queries, type TaskFilter } from './queries.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { StoredEvent, StoredInteraction, StoredReceipt, StoredTask, StoredVerification } from './rows.ts';
import { Transaction } from './transaction.ts';

const SIGNING_KEY_BYTES = 32;

/**
 * Opens the task database of a state directory, made private when it is new. Whoever opens closes. Throws RemitError:
 * `unsupported_platform` for a newer database, `internal_error` naming the file for a damaged one, `lease_conflict`
 * (retryable) when other processes keep it locked for about five seconds.
 */
export function openStore(directory: string): Store {
  const { database, file } = openDatabase(directory);
  return new Store(database, file);
}

/** One connection to the task database. Synchronous: a call returns when its effect is on the disk. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #queries: Queries;
  readonly #bell: CommitBell;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
    this.#queries = new Queries(database, file);
    this.#bell = new CommitBell(file);
  }

  /**
   * Runs `work` while no other process can write, and commits; rolls back when it throws. `work` is synchronous: a
   * transaction that waited would hold up every other process. Not nestable.
   */
  transaction<T>(work: (tx: Transaction) => T): T {
    return this.#guard(() => {
      if (this.#database.isTransaction) throw new Error('A transaction is already open: transactions do not nest.');
      retryWhileBusy(() => this.#database.exec('BEGIN IMMEDIATE'));
      const tx = new Transaction(this.#database, this.#queries);
      try {
        requireOwnVersion(this.#database, this.#file);
        const result = work(tx);
        if (result instanceof Promise) throw new Error('A transaction must not be asynchronous.');
        this.#database.exec('COMMIT');
        this.#bell.ring();
        return result;
      } catch (error) {
        // Some failures (a full disk) have rolled back already.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      } finally {
        tx.end();
      }
    });
  }

  /** Calls back soon after any process committed, this one included; nothing polls. The answer ends it. */
  onCommit(listener: () => void): () => void {
    return this.#bell.listen(listener);
  }

  readTask(taskId: string): StoredTask | undefined {
    return this.#guard(() => this.#queries.readTask(taskId));
  }

  listTasks(filter: TaskFilter = {}): StoredTask[] {
    return this.#guard(() => this.#queries.listTasks(filter));
  }

  readEvents(taskId: string, range: EventRange = {}): StoredEvent[] {
    return this.#guard(() => this.#queries.readEvents(taskId, range));
  }

  readLastEvent(taskId: string, types: readonly string[]): StoredEvent | undefined {
    return this.#guard(() => this.#queries.readLastEvent(taskId, types));
  }

  readReceipts(taskId: string): StoredReceipt[] {
    return this.#guard(() => this.#queries.readReceipts(taskId));
  }

  readLastReceipt(taskId: string): StoredReceipt | undefined {
    return this.#guard(() => this.#queries.readLastReceipt(taskId));
  }

  readVerifications(taskId: string): StoredVerification[] {
    return this.#guard(() => this.#queries.readVerifications(taskId));
  }

  readInteractions(taskId: string): StoredInteraction[] {
    return this.#guard(() => this.#queries.readInteractions(taskId));
  }

  /** 32 secret bytes, made once for a database and the same for every process that shares it: signs cursors. */
  signingKey(): Buffer {
    const existing = this.#readKey();
    if (existing !== undefined) return existing;
    this.transaction(() => {
      // IGNORE: another process may have made it between the read and the lock.
      const insert = this.#database.prepare("INSERT OR IGNORE INTO keys (name, value) VALUES ('signing', ?)");
      insert.run(randomBytes(SIGNING_KEY_BYTES));
    });
    const made = this.#readKey();
    if (made === undefined) throw new Error('The signing key was not kept.');
    return made;
  }

  /** Idempotent. The last process to close folds the log into the database. */
  close(): void {
    if (!this.#database.isOpen) return;
    this.#database.close();
    this.#bell.close();
  }

  #readKey(): Buffer | undefined {
    const row = this.#guard(() => this.#database.prepare("SELECT value FROM keys WHERE name = 'signing'").get());
    const value = row?.['value'];
    return value instanceof Uint8Array ? Buffer.from(value) : undefined;
  }

  #guard<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw describeDatabaseError(error, this.#file);
    }
  }
}
