import { EventEmitter } from 'node:events';
import { type Log, RemitError } from '../base/index.ts';
import type { Owner, Store, StoredTask, Transaction } from '../store/index.ts';
import { boundEventData } from './event-data.ts';
import { isTerminal, isWorking } from './lifecycle.ts';
import { TASK_STATES, type TaskRecord, taskRecordSchema } from './record.ts';

/** How long an event that changes no state may wait for others to be written with it. */
const NOTE_DELAY_MS = 100;

const WORKING_STATES = TASK_STATES.filter((state) => isWorking(state) || state === 'verifying');

const LIVING_STATES = TASK_STATES.filter((state) => !isTerminal(state));

export interface TaskEvent {
  readonly type: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a waiter is told after each change: the record, or undefined when the task was taken back. */
export type TaskListener = (record: TaskRecord | undefined) => void;

/**
 * The one place where a task's state changes: each change is one transaction of record and event, and only then do
 * waiters hear of it. What is true is what the store holds; nothing about a task's state lives in memory alone.
 */
export class Journal {
  readonly #store: Store;
  readonly #owner: Owner;
  readonly #log: Log;
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #notes: { taskId: string; timestamp: string; event: TaskEvent }[] = [];
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(store: Store, owner: Owner, log: Log) {
    this.#store = store;
    this.#owner = owner;
    this.#log = log;
  }

  get owner(): Owner {
    return this.#owner;
  }

  now(): string {
    return new Date().toISOString();
  }

  find(taskId: string): TaskRecord | undefined {
    const stored = this.#store.readTask(taskId);
    return stored && taskRecordSchema.parse(stored.record);
  }

  /** The task, or `task_not_found`. */
  read(taskId: string): TaskRecord {
    const record = this.find(taskId);
    if (record === undefined) throw taskNotFound(taskId);
    return record;
  }

  ownerOf(taskId: string): Owner | null {
    return this.#store.readTask(taskId)?.owner ?? null;
  }

  /** Every task that is not over; one that this version cannot read is left out and logged. */
  listLiving(repositoryId?: string): TaskRecord[] {
    return this.#readable(
      this.#store.listTasks({ ...(repositoryId !== undefined && { repositoryId }), states: LIVING_STATES }),
    );
  }

  /** Every task, over or not, in order of creation. */
  list(repositoryId?: string): TaskRecord[] {
    return this.#readable(this.#store.listTasks(repositoryId === undefined ? {} : { repositoryId }));
  }

  /** Whether this process has a task at which somebody works right now. */
  get isAtWork(): boolean {
    return this.#store.listTasks({ ownerId: this.#owner.ownerId, states: WORKING_STATES }).length > 0;
  }

  #readable(stored: readonly StoredTask[]): TaskRecord[] {
    return stored.flatMap(({ taskId, record }) => {
      const read = taskRecordSchema.safeParse(record);
      if (!read.success) this.#log('error', 'a task cannot be read', { task: taskId, error: read.error.message });
      return read.success ? [read.data] : [];
    });
  }

  /**
   * Creates a task unless `mayExist` objects, which sees the living tasks inside the same transaction, so that two
   * delegations at once cannot both take one scope. Ids are unique ignoring letter case.
   */
  create(record: TaskRecord, mayExist: (living: readonly TaskRecord[]) => void): void {
    this.#store.transaction((tx) => {
      const outcome = tx.insertTask({
        taskId: record.task_id,
        repositoryId: record.repository.id,
        state: record.status.state,
        owner: this.#owner,
        record,
        createdAt: record.created_at,
      });
      if (outcome !== 'inserted') {
        throw new RemitError(
          'task_conflict',
          `A task named ${outcome.conflict} exists already (ids that differ only in letter case count as one): choose another task_id.`,
        );
      }
      const living = tx.listTasks({ repositoryId: record.repository.id, states: LIVING_STATES });
      mayExist(this.#readable(living).filter((other) => other.task_id !== record.task_id));
      this.#append(tx, record.task_id, { type: 'task_created', data: { contract_hash: record.contract_hash } });
    });
    this.#emitter.emit(record.task_id, record);
  }

  /**
   * One transaction: the record as it is now → the next record, with the event that says why. The change runs
   * against the newest record, so a stale decision throws inside it instead of overwriting another's; where it answers
   * nothing, all stays as it is, the owner too. `also` writes rows that belong to the change, such as an interaction, in
   * the same transaction.
   */
  change(
    taskId: string,
    event: TaskEvent,
    change: (record: TaskRecord) => TaskRecord | undefined,
    also: (tx: Transaction) => void = () => {},
  ): TaskRecord {
    this.flush();
    const { record, isChanged } = this.#store.transaction((tx) => {
      const stored = tx.readTask(taskId);
      if (stored === undefined) throw taskNotFound(taskId);
      const before = taskRecordSchema.parse(stored.record);
      const wanted = change(before);
      if (wanted === undefined) return { record: before, isChanged: false };
      const record = taskRecordSchema.parse({ ...wanted, updated_at: timeAfter(before.updated_at, this.now()) });
      this.#update(tx, record, stored.version);
      also(tx);
      const { state, phase } = record.status;
      this.#append(tx, taskId, { type: event.type, data: { ...event.data, state, phase } }, record.updated_at);
      return { record, isChanged: true };
    });
    if (isChanged) this.#emitter.emit(taskId, record);
    return record;
  }

  #update(tx: Transaction, record: TaskRecord, version: number): void {
    const written = tx.updateTask(
      record.task_id,
      { state: record.status.state, record, owner: this.#owner, updatedAt: record.updated_at },
      version,
    );
    if (!written) throw new RemitError('internal_error', `Task ${record.task_id} changed inside its own transaction.`);
  }

  /** An event that changes no state. A talkative worker makes many: they are written together, at the latest soon. */
  note(taskId: string, event: TaskEvent): void {
    this.#notes.push({ taskId, timestamp: this.now(), event });
    this.#flushTimer ??= setTimeout(() => this.#flushSoon(), NOTE_DELAY_MS);
  }

  /** A store that is busy or full must not end the process: the events are written with the next change. */
  #flushSoon(): void {
    try {
      this.flush();
    } catch (error) {
      this.#log('warn', 'events could not be written yet', { error: String(error) });
    }
  }

  /** Writes the events that still wait. */
  flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    if (this.#notes.length === 0) return;
    this.#store.transaction((tx) => {
      for (const { taskId, timestamp, event } of this.#notes) {
        if (tx.readTask(taskId) !== undefined) this.#append(tx, taskId, event, timestamp);
      }
    });
    this.#notes.length = 0;
  }

  /** Takes a task back that never began: its row and events go, its waiters are told. */
  remove(taskId: string): void {
    this.#store.transaction((tx) => tx.deleteTask(taskId));
    this.#emitter.emit(taskId, undefined);
  }

  /** Hears of every change of a task, whichever process made it. */
  listen(taskId: string, listener: TaskListener): () => void {
    this.#emitter.on(taskId, listener);
    let seen = this.find(taskId)?.updated_at;
    const hear = (record: TaskRecord | undefined) => {
      seen = record?.updated_at;
    };
    this.#emitter.prependListener(taskId, hear);
    const stopWatching = this.#store.onCommit(() => {
      try {
        const record = this.find(taskId);
        if (record?.updated_at !== seen) this.#emitter.emit(taskId, record);
      } catch (error) {
        this.#log('warn', 'a change could not be read', { task: taskId, error: String(error) });
      }
    });
    return () => {
      stopWatching();
      this.#emitter.off(taskId, hear);
      this.#emitter.off(taskId, listener);
    };
  }

  /** Waits until `done` holds for the task, the time is up or the signal aborts; answers the newest record. */
  async wait(
    taskId: string,
    done: (record: TaskRecord) => boolean,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<{ record: TaskRecord; timedOut: boolean }> {
    const record = this.read(taskId);
    if (done(record) || options.timeoutMs <= 0 || options.signal.aborted) return { record, timedOut: !done(record) };
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        stopListening();
        options.signal.removeEventListener('abort', settle);
        resolve();
      };
      const stopListening = this.listen(taskId, (next) => {
        if (next === undefined || done(next)) settle();
      });
      const timer = setTimeout(settle, options.timeoutMs);
      options.signal.addEventListener('abort', settle, { once: true });
    });
    const newest = this.read(taskId);
    return { record: newest, timedOut: !done(newest) };
  }

  #append(tx: Transaction, taskId: string, event: TaskEvent, timestamp = this.now()): void {
    tx.appendEvent(taskId, { timestamp, type: event.type, data: boundEventData(event.data ?? {}) });
  }
}

/**
 * The time of a change, at least a millisecond later than the change before it: two may come within one millisecond, or a clock
 * may be set back, and whoever hears of changes tells them apart by their times.
 */
function timeAfter(before: string, now: string): string {
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
}

function taskNotFound(taskId: string): RemitError {
  return new RemitError(
    'task_not_found',
    `There is no task ${JSON.stringify(taskId)} here: check the id, or delegate it.`,
  );
}
