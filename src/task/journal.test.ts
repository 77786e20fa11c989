import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningRecord } from '../../test/task-record.ts';
import { silentLog } from '../base/index.ts';
import { openStore } from '../store/index.ts';
import { Journal } from './journal.ts';
import { moveTo } from './lifecycle.ts';

function openJournal() {
  const directory = mkdtempSync(join(tmpdir(), 'remit-journal-'));
  const store = openStore(directory);
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });
  const journal = new Journal(store, { pid: process.pid, startTime: 'now', ownerId: 'test', socket: null }, silentLog);
  journal.create(runningRecord('t'), () => {});
  return { journal, store };
}

test('an event carries no credential and is cut to its limit', () => {
  const { journal, store } = openJournal();
  const token = ['ghp', 'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0UvWxYz'].join('_');
  journal.note('t', { type: 'said', data: { deep: [{ text: `with ${token}` }] } });
  journal.note('t', { type: 'said', data: { text: 'x'.repeat(100_000) } });
  journal.flush();
  const [, said, long] = store.readEvents('t');
  expect(JSON.stringify(said)).toContain('with [redacted]');
  expect(JSON.stringify(long).length).toBeLessThan(20_000);
  expect(long?.data).toMatchObject({ truncated: true, bytes: 100_011 });
});

test('a change and its event are one: when the change throws, neither is there', () => {
  const { journal, store } = openJournal();
  const refuse = () => {
    throw new Error('no');
  };
  expect(() => journal.change('t', { type: 'changed' }, refuse)).toThrow('no');
  expect(() => journal.change('t', { type: 'changed' }, (record) => record, refuse)).toThrow('no');
  expect(store.readEvents('t').map(({ type }) => type)).toEqual(['task_created']);
  journal.change('t', { type: 'changed' }, (record) => ({ ...record, repair_rounds: 1 }));
  expect(journal.read('t').repair_rounds).toBe(1);
  expect(store.readEvents('t').map(({ type }) => type)).toEqual(['task_created', 'changed']);
});

test('where a change answers nothing, all stays as it is, also when another process owns the task now', () => {
  const { journal, store } = openJournal();
  const other = new Journal(store, { pid: 1, startTime: 'then', ownerId: 'other', socket: null }, silentLog);
  other.change('t', { type: 'taken' }, (record) => record);
  const before = store.readTask('t');
  const refuse = () => {
    throw new Error('not called');
  };
  expect(journal.change('t', { type: 'changed' }, () => undefined, refuse)).toEqual(journal.read('t'));
  expect(store.readTask('t')).toEqual(before);
  expect(store.readEvents('t').map(({ type }) => type)).toEqual(['task_created', 'taken']);
});

test('each change has a later time than the one before, also within a millisecond or when the clock was set back', () => {
  const { journal } = openJournal();
  journal.create({ ...runningRecord('ahead'), updated_at: '2999-12-31T23:59:59.999Z' }, () => {});
  const times = ['ahead', 't', 't', 't'].map(
    (id) => journal.change(id, { type: 'changed' }, (record) => record).updated_at,
  );
  expect(times[0]).toBe('3000-01-01T00:00:00.000Z');
  expect(new Set(times).size).toBe(4);
});

test('events stand in the order in which they happened', () => {
  const { journal, store } = openJournal();
  journal.note('t', { type: 'first' });
  journal.change('t', { type: 'second' }, (record) => record);
  journal.note('t', { type: 'third' });
  journal.flush();
  expect(store.readEvents('t').map(({ type }) => type)).toEqual(['task_created', 'first', 'second', 'third']);
});

test('a waiter wakes at the change that it waits for, at its time limit, or when its call is cancelled', async () => {
  const { journal } = openJournal();
  const forever = new AbortController();
  const isClosed = { timeoutMs: 10_000, signal: forever.signal };
  const closed = journal.wait('t', (record) => record.status.state === 'closed', isClosed);
  journal.change('t', { type: 'phase' }, (record) => ({ ...record, repair_rounds: 1 }));
  journal.change('t', { type: 'closed' }, (record) =>
    moveTo(record, { state: 'closed', phase: 'closed', reason: 'r' }),
  );
  expect(await closed).toMatchObject({ timedOut: false, record: { status: { state: 'closed' } } });
  const never = () => false;
  expect(await journal.wait('t', never, { timeoutMs: 5, signal: forever.signal })).toMatchObject({ timedOut: true });
  const cancelled = journal.wait('t', never, { timeoutMs: 10_000, signal: forever.signal });
  forever.abort();
  expect(await cancelled).toMatchObject({ timedOut: true });
});
