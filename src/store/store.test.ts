import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RemitError } from '../base/index.ts';
import { APPLICATION_ID, DATABASE_FILE } from './database.ts';
import { type NewTask, openStore, type Store } from './index.ts';
import { MIGRATIONS } from './migrations.ts';

let directory: string;
let file: string;
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'remit-store-'));
  file = join(directory, DATABASE_FILE);
  store = openStore(directory);
});

afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

const newTask = (taskId: string, more: Partial<NewTask> = {}): NewTask => ({
  taskId,
  repositoryId: 'repository-a',
  state: 'provisioning',
  owner: null,
  record: { task_id: taskId },
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

const owner = { pid: 12, startTime: '998877', ownerId: 'host-1', socket: null };
const insert = (...tasks: NewTask[]) => store.transaction((tx) => tasks.map((task) => tx.insertTask(task)));

function errorOf(action: () => unknown): RemitError {
  try {
    action();
  } catch (error) {
    if (error instanceof RemitError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a task', () => {
  test('comes back as it was stored, at version 1', () => {
    insert(newTask('one', { owner }));
    expect(store.readTask('one')).toEqual({
      taskId: 'one',
      repositoryId: 'repository-a',
      state: 'provisioning',
      version: 1,
      owner,
      record: { task_id: 'one' },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(store.readTask('none')).toBeUndefined();
  });

  test('cannot share its id with another, letter case ignored', () => {
    expect(insert(newTask('Fix-It'), newTask('fix-it'), newTask('fix-it-2'))).toEqual([
      'inserted',
      { conflict: 'Fix-It' },
      'inserted',
    ]);
    expect(store.readTask('fix-it')).toBeUndefined();
  });

  test('is updated only at the version that the writer saw', () => {
    insert(newTask('one', { owner }));
    const change = { state: 'running', record: { n: 1 }, updatedAt: '2026-01-01T00:00:01.000Z' };
    expect(store.transaction((tx) => tx.updateTask('one', change, 1))).toBe(true);
    expect(store.transaction((tx) => tx.updateTask('one', { ...change, state: 'failed' }, 1))).toBe(false);
    expect(store.transaction((tx) => tx.updateTask('none', change, 1))).toBe(false);
    expect(store.readTask('one')).toMatchObject({ ...change, version: 2, owner });
    store.transaction((tx) => tx.updateTask('one', { ...change, owner: null }, 2));
    expect(store.readTask('one')).toMatchObject({ version: 3, owner: null });
  });

  test('is listed by repository, states and owner, in order of creation', () => {
    insert(
      newTask('late', { createdAt: '2026-01-02T00:00:00.000Z', owner }),
      newTask('early', { state: 'running' }),
      newTask('elsewhere', { repositoryId: 'repository-b', state: 'running', owner }),
    );
    const ids = (filter?: Parameters<Store['listTasks']>[0]) => store.listTasks(filter).map((task) => task.taskId);
    expect(ids()).toEqual(['early', 'elsewhere', 'late']);
    expect(ids({ repositoryId: 'repository-a' })).toEqual(['early', 'late']);
    expect(ids({ states: ['running'], ownerId: 'host-1' })).toEqual(['elsewhere']);
    expect(ids({ states: [] })).toEqual([]);
    expect(ids({ repositoryId: "' OR 1=1 --" })).toEqual([]);
  });

  test('takes its rows along when it is deleted', () => {
    insert(newTask('one'));
    store.transaction((tx) => {
      tx.appendEvent('one', { timestamp: 't', type: 'x', data: null });
      tx.appendReceipt('one', {});
      tx.appendVerification('one', { revision: 1, result: {} });
      tx.putInteraction({ taskId: 'one', interactionId: 'i', status: 'pending', interaction: {} });
      expect(tx.deleteTask('one')).toBe(true);
      expect(tx.deleteTask('one')).toBe(false);
    });
    insert(newTask('one'));
    expect(store.readEvents('one')).toEqual([]);
    expect([...store.readReceipts('one'), ...store.readVerifications('one')]).toEqual([]);
    expect(store.readInteractions('one')).toEqual([]);
  });

  test('keeps any JSON document, bytes of file names included', () => {
    insert(newTask('one'));
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (document, name) => {
        const record = { document, name, rawByte: 'caf\udce9' };
        store.transaction((tx) => {
          const version = tx.readTask('one')?.version ?? 0;
          tx.updateTask('one', { state: 's', record, updatedAt: 't' }, version);
        });
        expect(store.readTask('one')?.record).toEqual(JSON.parse(JSON.stringify(record)));
      }),
      { numRuns: 40 },
    );
  });
});

describe('rows of a task', () => {
  test('events are numbered strictly upwards for each task and read in pages', () => {
    insert(newTask('one'), newTask('two'));
    const append = (id: string, n: number) =>
      store.transaction((tx) => tx.appendEvent(id, { timestamp: 't', type: 'x', data: { n } }));
    expect([append('one', 1), append('two', 2), append('one', 3), append('one', 4)]).toEqual([1, 1, 2, 3]);
    expect(store.readEvents('one', { afterSeq: 1, limit: 1 })).toEqual([
      { taskId: 'one', seq: 2, timestamp: 't', type: 'x', data: { n: 3 } },
    ]);
    expect(store.readLastEvent('one', ['y', 'x'])).toMatchObject({ seq: 3, data: { n: 4 } });
    expect(store.readLastEvent('one', ['y'])).toBeUndefined();
    expect(store.readEvents('one').length).toBe(3);
  });

  test('an event over 64 KiB is refused and nothing of its transaction stays', () => {
    insert(newTask('one'));
    const tooLong = { timestamp: 't', type: 'x', data: 'é'.repeat(32 * 1024) };
    const error = errorOf(() =>
      store.transaction((tx) => {
        tx.appendEvent('one', { timestamp: 't', type: 'before', data: null });
        tx.appendEvent('one', tooLong);
      }),
    );
    expect(error.code).toBe('output_limit_exceeded');
    expect(store.readEvents('one')).toEqual([]);
    const largest = { ...tooLong, data: 'x'.repeat(64 * 1024 - 2) };
    expect(store.transaction((tx) => tx.appendEvent('one', largest))).toBe(1);
  });

  test('receipts and verifications are numbered and come back in order', () => {
    insert(newTask('one'));
    store.transaction((tx) => {
      expect([tx.appendReceipt('one', { a: 1 }), tx.appendReceipt('one', { a: 2 })]).toEqual([1, 2]);
      expect(tx.appendVerification('one', { revision: 3, result: { ok: true } })).toBe(1);
    });
    expect(store.readReceipts('one')).toEqual([
      { taskId: 'one', seq: 1, receipt: { a: 1 } },
      { taskId: 'one', seq: 2, receipt: { a: 2 } },
    ]);
    expect(store.readLastReceipt('one')).toEqual({ taskId: 'one', seq: 2, receipt: { a: 2 } });
    expect(store.readLastReceipt('two')).toBeUndefined();
    expect(store.readVerifications('one')).toEqual([{ taskId: 'one', seq: 1, revision: 3, result: { ok: true } }]);
  });

  test('an interaction keeps its place when it is put again', () => {
    insert(newTask('one'));
    const put = (interactionId: string, status: 'pending' | 'resolved') =>
      store.transaction((tx) =>
        tx.putInteraction({ taskId: 'one', interactionId, status, interaction: { interactionId } }),
      );
    put('b', 'pending');
    put('a', 'pending');
    put('b', 'resolved');
    expect(store.readInteractions('one').map((row) => [row.interactionId, row.status])).toEqual([
      ['b', 'resolved'],
      ['a', 'pending'],
    ]);
  });

  test('cannot be added to a task that does not exist', () => {
    expect(() => store.transaction((tx) => tx.appendReceipt('none', {}))).toThrow();
    expect(() => store.transaction((tx) => tx.appendEvent('none', { timestamp: 't', type: 'x', data: 1 }))).toThrow(
      'no task none',
    );
  });
});

describe('a transaction', () => {
  test('leaves nothing behind when it throws', () => {
    expect(() =>
      store.transaction((tx) => {
        tx.insertTask(newTask('one'));
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    expect(store.listTasks()).toEqual([]);
    expect(insert(newTask('one'))).toEqual(['inserted']);
  });

  test('refuses asynchronous work, nesting and use after its end', () => {
    expect(() => store.transaction(async () => {})).toThrow('asynchronous');
    expect(() => store.transaction(() => store.transaction(() => {}))).toThrow('nest');
    const kept = store.transaction((tx) => tx);
    expect(() => kept.deleteTask('one')).toThrow('over');
    expect(insert(newTask('one'))).toEqual(['inserted']);
  });

  test('is refused as retryable while another process keeps the database locked', { timeout: 60_000 }, () => {
    const other = new DatabaseSync(file);
    try {
      other.exec('BEGIN IMMEDIATE');
      const error = errorOf(() => insert(newTask('one')));
      expect([error.code, error.retryable]).toEqual(['lease_conflict', true]);
      expect(store.listTasks()).toEqual([]);
      other.exec('ROLLBACK');
      expect(insert(newTask('one'))).toEqual(['inserted']);
    } finally {
      other.close();
    }
  });
});

describe('the database file', () => {
  test('and its log are readable by their owner only', () => {
    insert(newTask('one'));
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    const nested = join(directory, 'new/state');
    openStore(nested).close();
    expect(statSync(nested).mode & 0o777).toBe(0o700);
  });

  test('keeps tasks and the signing key over a restart', () => {
    insert(newTask('one'));
    const key = store.signingKey();
    expect([key.length, store.signingKey().equals(key)]).toEqual([32, true]);
    store.close();
    store.close();
    store = openStore(directory);
    expect(store.signingKey().equals(key)).toBe(true);
    expect(store.readTask('one')?.version).toBe(1);
  });

  test('of the first version is brought up to date with its tasks kept', () => {
    const old = join(directory, 'old');
    mkdirSync(old, { mode: 0o700 });
    const first = new DatabaseSync(join(old, DATABASE_FILE));
    first.exec(`${MIGRATIONS[0]} PRAGMA user_version = 1; PRAGMA application_id = ${APPLICATION_ID};
      INSERT INTO tasks (task_id, repository_id, state, version, owner_pid, owner_start_time, owner_id, record, created_at, updated_at)
      VALUES ('kept', 'r', 'running', 7, 12, 'then', 'host', '{}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
    first.close();
    const migrated = openStore(old);
    const kept = migrated.readTask('kept');
    migrated.close();
    expect(kept).toMatchObject({ version: 7, owner: { pid: 12, ownerId: 'host', socket: null } });
  });

  test('of a newer Remit is refused, also when it was migrated while open', () => {
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const errors = [errorOf(() => insert(newTask('one'))), errorOf(() => openStore(directory))];
    for (const error of errors) {
      expect(error.code).toBe('unsupported_platform');
      expect(error.message).toContain(`${file} has version 99`);
    }
  });

  test.each([
    ['no database at all', 'this is not a database, but it is somebody’s file. '.repeat(100)],
    ['cut short', undefined],
  ])('that is %s is named and left as it is', (_, content) => {
    insert(newTask('one'));
    store.close();
    const broken = content ?? readFileSync(file).subarray(0, 5000).fill(0x5a, 100);
    writeFileSync(file, broken);
    const error = errorOf(() => {
      store = openStore(directory);
      store.listTasks();
    });
    expect(error.code).toBe('internal_error');
    expect(error.message).toContain(`The task database ${file} is damaged`);
    store.close();
    expect(readFileSync(file)).toEqual(Buffer.from(broken));
  });

  test('with a row that Remit cannot have written is named with the place', () => {
    insert(newTask('one'));
    const other = new DatabaseSync(file);
    other.exec("UPDATE tasks SET record = '{'");
    other.close();
    expect(errorOf(() => store.readTask('one')).message).toContain('task one, record is not JSON');
    insert(newTask('two'));
    const listed = store.listTasks().map(({ taskId, record }) => [taskId, record === undefined]);
    expect(listed, 'the others can still be listed').toEqual([
      ['one', true],
      ['two', false],
    ]);
  });

  test('of another program, a link or a folder in its place is not touched', () => {
    const place = (name: string) => {
      const path = join(directory, name);
      mkdirSync(path);
      return path;
    };
    const foreign = place('foreign');
    const database = new DatabaseSync(join(foreign, DATABASE_FILE));
    database.exec('CREATE TABLE bookmarks (url TEXT)');
    database.close();
    const before = readFileSync(join(foreign, DATABASE_FILE));
    expect(errorOf(() => openStore(foreign)).message).toContain('another program');
    expect(readFileSync(join(foreign, DATABASE_FILE))).toEqual(before);

    const linked = place('linked');
    symlinkSync(file, join(linked, DATABASE_FILE));
    expect(errorOf(() => openStore(linked)).message).toContain('not a regular file');
    mkdirSync(join(place('folder'), DATABASE_FILE));
    expect(errorOf(() => openStore(join(directory, 'folder'))).message).toContain('not a regular file');
  });
});
