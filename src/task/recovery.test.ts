import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordIn } from '../../test/task-record.ts';
import { silentLog } from '../base/index.ts';
import { processStartTime } from '../process/index.ts';
import { openStore } from '../store/index.ts';
import { Journal } from './journal.ts';
import type { StatusOf, TaskStatus } from './record.ts';
import { recoverTask } from './recovery.ts';
import type { TaskTools } from './tools.ts';

const REVIEW: StatusOf<'review_required'>['review'] = {
  revision: 1,
  tree: 'a'.repeat(40),
  changed_files: ['src/x.ts'],
  diff_stat: '',
  diff_bytes: 0,
  diff_sha256: 'b'.repeat(64),
  risks: [],
  summary: '',
  created_at: '2026-01-01T00:00:00.000Z',
};
const APPROVAL: StatusOf<'verifying'>['approval'] = {
  revision: 1,
  tree: REVIEW.tree,
  summary: 'Read',
  approved_criteria: [],
  commit_message: 'm',
  approved_at: REVIEW.created_at,
};
const VERIFYING: TaskStatus = { state: 'verifying', phase: 'verifying', review: REVIEW, approval: APPROVAL };

/** A task whose owner is dead, as two others see it, of which one lives. */
function ownedByNobody(status: TaskStatus) {
  const directory = mkdtempSync(join(tmpdir(), 'remit-recovery-'));
  const store = openStore(directory);
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });
  const journalOf = (ownerId: string, startTime = 'another time') =>
    new Journal(store, { pid: process.pid, startTime, ownerId, socket: null }, silentLog);
  const [one, other] = [journalOf('one'), journalOf('other', processStartTime(process.pid))];
  journalOf('dead').create(recordIn(status), () => {});
  return { store, one, other, tools: { journal: one, store } as unknown as TaskTools };
}

test('a verification that was cut off is settled once, whoever else settles it at the same moment', async () => {
  const { one, other, tools } = ownedByNobody(VERIFYING);
  await recoverTask(one.read('t'), tools, async () => {
    const back: TaskStatus = { state: 'review_required', phase: 'host_restarted', review: REVIEW };
    other.change('t', { type: 'verification_interrupted' }, (now) => ({ ...now, status: back }));
    throw new Error('it is not verifying any more');
  });
  expect(one.read('t').status).toMatchObject({ state: 'review_required', phase: 'host_restarted' });
});

test('why a verification that was cut off cannot be settled is told', async () => {
  const { one, tools } = ownedByNobody(VERIFYING);
  const failing = recoverTask(one.read('t'), tools, () => Promise.reject(new Error('no Git')));
  await expect(failing).rejects.toThrow('no Git');
});

test('work that was cut off is paused by the first who sees it, and not once more', async () => {
  const { store, one, other, tools } = ownedByNobody({ state: 'running', phase: 'working' });
  const seen = one.read('t');
  await recoverTask(seen, tools, () => Promise.reject(new Error('nothing is verified')));
  other.change('t', { type: 'resumed' }, (now) => ({ ...now, status: { state: 'running', phase: 'resuming' } }));
  await recoverTask(seen, tools, () => Promise.reject(new Error('nothing is verified')));
  expect(store.readEvents('t').map(({ type }) => type)).toEqual(['task_created', 'recovered', 'resumed']);
});
