import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runningRecord } from '../../../test/task-record.ts';
import { silentLog } from '../../base/index.ts';
import { openStore } from '../../store/index.ts';
import { ActivityFeed, Journal } from '../../task/index.ts';
import { Owners } from '../owner/owners.ts';
import type { HostRooms } from '../rooms.ts';
import { followTask } from './task-news.ts';

/** The rooms that following needs, with one task at work. */
function openRooms() {
  const directory = mkdtempSync(join(tmpdir(), 'remit-news-'));
  const store = openStore(directory);
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });
  const owner = { pid: process.pid, startTime: 'now', ownerId: 'test', socket: null };
  const [journal, feed] = [new Journal(store, owner, silentLog), new ActivityFeed()];
  const owners = new Owners({ journal, feed, recover: async () => {}, log: silentLog });
  journal.create(runningRecord('t'), () => {});
  const follow = (signal = new AbortController().signal) =>
    followTask({ store, journal, owners } as unknown as HostRooms, 't', { signal });
  return { directory, store, journal, feed, follow };
}

test('tells the past, the task as it is, each change and what goes on, until the task is over', async () => {
  const { journal, feed, follow } = openRooms();
  const told: unknown[] = [];
  for await (const news of follow()) {
    told.push(news.type === 'event' ? news.event.type : news.type === 'status' ? news.status.phase : news.type);
    if (told.length === 2) {
      feed.publish('t', { type: 'message', text: 'hello' });
      journal.change('t', { type: 'phase' }, (record) => ({ ...record, status: { state: 'running', phase: 'next' } }));
    }
    if (told.at(-1) !== 'next') continue;
    const over = { state: 'cancelled', phase: 'cancelled', reason: 'r' } as const;
    journal.change('t', { type: 'cancelled' }, (record) => ({ ...record, status: over }));
  }
  expect(told).toEqual(['task_created', 'working', 'activity', 'phase', 'next', 'cancelled', 'cancelled']);
});

test('tells that a task was taken back, and ends with that', async () => {
  const { journal, follow } = openRooms();
  const told: string[] = [];
  for await (const { type } of follow()) {
    told.push(type);
    if (type === 'status') journal.remove('t');
  }
  expect(told).toEqual(['event', 'status', 'gone']);
});

test('ends with the reason when the task can no longer be read, and ends nothing else', async () => {
  const { directory, store, follow } = openRooms();
  const spoil = () => {
    using database = new DatabaseSync(join(directory, 'tasks.sqlite'));
    database.exec(`UPDATE tasks SET record = '{}'`);
    store.transaction(() => {});
  };
  const following = async () => {
    for await (const { type } of follow()) if (type === 'status') spoil();
  };
  await expect(following()).rejects.toThrow();
});

test('ends when nobody listens any more', async () => {
  const { follow } = openRooms();
  const abort = new AbortController();
  const told: string[] = [];
  for await (const { type } of follow(abort.signal)) {
    told.push(type);
    if (type === 'status') abort.abort();
  }
  expect(told).toEqual(['event', 'status']);
});
