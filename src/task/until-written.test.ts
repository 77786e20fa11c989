import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runningRecord } from '../../test/task-record.ts';
import { silentLog } from '../base/index.ts';
import { openStore } from '../store/index.ts';
import { Journal } from './journal.ts';
import { untilWritten } from './until-written.ts';

function openJournal() {
  const directory = mkdtempSync(join(tmpdir(), 'remit-written-'));
  const store = openStore(directory);
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });
  const journal = new Journal(store, { pid: process.pid, startTime: 'now', ownerId: 'test', socket: null }, silentLog);
  journal.create(runningRecord('t'), () => {});
  return { journal, file: join(directory, 'tasks.sqlite') };
}

test('how work ended is written as soon as another process lets go of the database', async () => {
  const { journal, file } = openJournal();
  const holder = new DatabaseSync(file);
  onTestFinished(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  let attempts = 0;
  const written = untilWritten(
    't',
    () => {
      attempts += 1;
      // Whoever holds it lets go after the first refusal.
      if (attempts === 2) holder.exec('ROLLBACK');
      return journal.change('t', { type: 'ended' }, (record) => ({ ...record, repair_rounds: 1 }));
    },
    { log: silentLog, signal: new AbortController().signal },
  );
  expect(await written).toMatchObject({ repair_rounds: 1 });
  expect(attempts).toBe(2);
}, 60_000);

test('what the store may never take, or what nobody waits for any more, is not tried again', async () => {
  const { journal } = openJournal();
  const refuse = () => journal.change('none', { type: 'ended' }, (record) => record);
  await expect(untilWritten('none', refuse, { log: silentLog, signal: new AbortController().signal })).rejects.toThrow(
    'no task',
  );
  const holder = new DatabaseSync(':memory:');
  onTestFinished(() => holder.close());
  holder.exec('PRAGMA max_page_count = 1; ');
  const fill = () => holder.exec('CREATE TABLE too_much (text)');
  await expect(untilWritten('t', fill, { log: silentLog, signal: AbortSignal.abort() })).rejects.toThrow('full');
});
