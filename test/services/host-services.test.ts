/** What the host does for a worker and keeps of it: real files, store and Git; the helper's program is the only part that is made to fail. */
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/base/index.ts';
import { processStartTime, type StartOptions } from '../../src/process/index.ts';
import { takeSnapshot } from '../../src/review/snapshot.ts';
import { type Idle, makeIdleTask } from '../../src/review/test-fixture.ts';
import { openStore } from '../../src/store/index.ts';
import { Journal } from '../../src/task/journal.ts';
import { fileLooks } from '../../src/task/services/file-looks.ts';
import { TaskServices } from '../../src/task/services/task-services.ts';
import type { TaskTools } from '../../src/task/tools.ts';

const HELPER = fileURLToPath(new URL('../../src/agent/file-helper/main.ts', import.meta.url));
const X = 'src/x.ts';

interface Desk {
  readonly idle: Idle;
  readonly services: TaskServices;
  /** The same task as another process opens it after this one is gone. */
  reopened(): TaskServices;
  judge(services?: TaskServices): ReturnType<TaskServices['judge']>;
}

/** `programs`: of the helper, one for each start; the real one after them. */
async function openDesk(programs: readonly string[] = []): Promise<Desk> {
  const idle = await makeIdleTask();
  const directory = join(idle.folder, 'store');
  mkdirSync(directory);
  const store = openStore(directory);
  onTestFinished(() => {
    store.close();
    idle[Symbol.dispose]();
  });
  const owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '', ownerId: 'one', socket: null };
  const journal = new Journal(store, owner, silentLog);
  journal.create(idle.record, () => {});
  const tools = { ...idle.tools, store, journal } as unknown as TaskTools;
  const left = [...programs];
  const launchHelper = async (): Promise<StartOptions> => {
    const program = left.shift();
    const argv = program === undefined ? [process.execPath, HELPER, idle.record.worktree] : ['/bin/sh', '-c', program];
    return { argv, cwd: idle.record.worktree, env: { PATH: process.env['PATH'] ?? '' } };
  };
  const open = () => {
    const services = new TaskServices('t', tools, { launchHelper, run: () => Promise.reject(new Error('no command')) });
    onTestFinished(() => services.stop());
    return services;
  };
  const services = open();
  return {
    idle,
    services,
    reopened: open,
    async judge(judging = services) {
      const verdict = await takeSnapshot(idle.record, idle.tools);
      if (verdict.kind !== 'reviewable') throw new Error(JSON.stringify(verdict));
      return judging.judge(verdict.taken);
    },
  };
}

const claim = (services: TaskServices, ...paths: string[]) =>
  services.claim({ kind: 'report', report: { kind: 'review', verdict: 'pass', findings: [], reviewed_paths: paths } });

const write = (services: TaskServices, content: string) => services.writeFile(X, Buffer.from(content), {});

test('work that was read again and reported is ready, by the tree that was taken', async () => {
  const { services, judge } = await openDesk();
  expect(await write(services, 'export const x = 2;\n')).toEqual({ outcome: 'done' });
  expect(await services.readFile(X)).toMatchObject({ kind: 'file', text: 'export const x = 2;\n', totalLines: 1 });
  expect(await claim(services, X)).toEqual({ kind: 'accepted' });
  expect(await judge()).toMatchObject({ gate: { kind: 'ready', paths: [X] }, review: { evidence: [{ path: X }] } });
});

test('a helper that dies in the middle of an order is told as such, and the next order has a new one', async () => {
  const { services } = await openDesk(['read order; exit 1', 'read order; echo nonsense; exit 0']);
  const failed = { outcome: 'refused', reason: expect.stringContaining('could not be') };
  expect(await write(services, 'export const x = 2;\n')).toEqual(failed);
  expect(await write(services, 'export const x = 2;\n')).toEqual(failed);
  expect(await write(services, 'export const x = 2;\n')).toEqual({ outcome: 'done' });
});

test('what happened between an effect and its receipt is found: neither lost nor counted as reviewed', async () => {
  // The second order, the write, is done; then its helper dies, and nobody has kept that it was done.
  const program = `printf '{"id":1,"kind":"absent"}\\n'; printf 'effect\\n' > src/new.ts; exit 1`;
  const desk = await openDesk([program]);
  const written = await desk.services.writeFile('src/new.ts', Buffer.from('effect\n'), {});
  expect(written).toMatchObject({ outcome: 'refused' });
  await desk.services.stop();
  const services = desk.reopened();
  expect(readFileSync(join(desk.idle.record.worktree, 'src/new.ts'), 'utf8')).toBe('effect\n');
  const { gate } = await desk.judge(services);
  expect(gate).toMatchObject({
    kind: 'missing',
    gaps: [{ code: 'path_unread', message: expect.stringContaining('src/new.ts was not read') }, {}],
  });
  await services.readFile('src/new.ts');
  expect(await claim(services, 'src/new.ts')).toEqual({ kind: 'accepted' });
  expect((await desk.judge(services)).gate.kind).toBe('ready');
});

test('what happened without a receipt is to be read whole, also when the same file is changed again', async () => {
  const program = `printf '{"id":1,"kind":"absent"}\\n'; i=0; while [ $i -lt 30 ]; do echo $i; i=$((i+1)); done > src/new.ts; exit 1`;
  const desk = await openDesk([program]);
  await desk.services.writeFile('src/new.ts', Buffer.from('lost\n'), {});
  const services = desk.reopened();
  writeFileSync(join(desk.idle.record.worktree, 'src/.remit-0123456789abcdef'), 'half of a file');
  const file = await services.readFile('src/new.ts', { from: 1, count: 1 });
  if (file.kind !== 'file') throw new Error(file.kind);
  const content = readFileSync(join(desk.idle.record.worktree, 'src/new.ts'), 'utf8').replace('0\n', 'zero\n');
  expect(await services.writeFile('src/new.ts', Buffer.from(content), {})).toEqual({ outcome: 'done' });
  await services.readFile('src/new.ts', { from: 1, count: 1 });
  expect(await claim(services, 'src/new.ts')).toMatchObject({ kind: 'refused', gaps: [{ code: 'path_unread' }] });
  await services.readFile('src/new.ts');
  expect(await claim(services, 'src/new.ts')).toEqual({ kind: 'accepted' });
  expect(await desk.judge(services)).toMatchObject({ gate: { kind: 'ready', paths: ['src/new.ts'] } });
});

test('the ledger is the same for whoever opens the task next', async () => {
  const desk = await openDesk();
  await write(desk.services, 'export const x = 2;\n');
  await desk.services.readFile(X);
  await claim(desk.services, X);
  await desk.services.stop();
  expect((await desk.judge(desk.reopened())).gate.kind).toBe('ready');
});

test('the tree is judged, whatever the worktree held when it was looked at and holds now', async () => {
  const { idle, services } = await openDesk();
  await write(services, 'export const x = 2;\n');
  await services.readFile(X);
  await claim(services, X);
  idle.put(X, 'export const x = "evil";\n');
  const verdict = await takeSnapshot(idle.record, idle.tools);
  idle.put(X, 'export const x = 2;\n');
  if (verdict.kind !== 'reviewable') throw new Error(verdict.kind);
  expect((await services.judge(verdict.taken)).gate).toMatchObject({
    kind: 'missing',
    gaps: [{ code: 'path_unread' }, {}],
  });
});

test('a deletion counts as one, although the file was made anew before', async () => {
  const { idle, services, judge } = await openDesk();
  renameSync(join(idle.record.worktree, X), join(idle.folder, 'gone'));
  expect(await write(services, 'anew\n')).toEqual({ outcome: 'done' });
  expect(await services.removeFile(X, {})).toEqual({ outcome: 'done' });
  expect((await judge()).gate).toMatchObject({ kind: 'missing', gaps: [{ code: 'deletion_unseen' }, {}] });
});

test('a worker that claims without an end is refused, and its work can still be judged', async () => {
  const { services, judge } = await openDesk();
  await write(services, 'export const x = 2;\n');
  const words = (count: number) => ({
    kind: 'todos' as const,
    items: [{ id: '1', text: 'x'.repeat(count), status: 'open' as const }],
  });
  expect(await services.claim(words(200_000))).toMatchObject({ kind: 'refused', gaps: [{ code: 'too_much' }] });
  for (let at = 0; at < 90; at += 1) await services.claim(words(190_000));
  expect(await services.claim(words(1))).toMatchObject({ kind: 'refused', gaps: [{ code: 'too_much' }] });
  expect(await services.readFile(X)).toMatchObject({ kind: 'refused' });
  expect((await judge()).gate.kind).toBe('missing');
});

test('a command that is too long for its receipt is refused before it runs', async () => {
  const { services } = await openDesk();
  const limits = { timeoutMs: 1000, signal: new AbortController().signal, outputBytes: 1000 };
  expect(await services.runCommand(['grep', 'x'.repeat(70_000), X], '', limits)).toEqual({
    refused: 'is longer than 65536 bytes',
  });
});

test('more of a file than is handed over at once is refused, and not counted as seen', async () => {
  const { services } = await openDesk();
  await services.writeFile('src/long.ts', Buffer.from('line\n'.repeat(60_000)), {});
  expect(await services.readFile('src/long.ts')).toMatchObject({ kind: 'refused' });
  expect(await claim(services, 'src/long.ts')).toMatchObject({ kind: 'refused' });
  expect(await services.readFile('src/long.ts', { from: 1, count: 50_000 })).toMatchObject({ kind: 'file' });
});

test('a file is read again only when it was touched, whatever its times and size say', async () => {
  const idle = await makeIdleTask();
  onTestFinished(() => idle[Symbol.dispose]());
  const path = join(idle.record.worktree, X);
  const long = new Date(Date.now() - 3_600_000);
  let reads = 0;
  const looks = fileLooks(idle.record.worktree, async (name) => {
    reads += 1;
    return readFileSync(join(idle.record.worktree, name));
  });
  // Whatever was touched a moment ago is read again: its next change could have the same time.
  await expect.poll(async () => [await looks.digest(X), reads][1] === reads && reads > 1).toBe(true);
  const before = await expect
    .poll(() => settled(), { timeout: 5_000 })
    .toBe(true)
    .then(() => looks.digest(X));
  const readsThen = reads;
  expect(await looks.digest(X)).toBe(before);
  expect(reads).toBe(readsThen);
  const bytes = readFileSync(path, 'utf8');
  writeFileSync(path, bytes.replace('1', '2'));
  utimesSync(path, long, long);
  expect(await looks.digest(X)).not.toBe(before);

  /** Whether the last look did not read. */
  async function settled(): Promise<boolean> {
    const count = reads;
    await looks.digest(X);
    return reads === count;
  }
});
