import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningRecord } from '../../../test/task-record.ts';
import { silentLog } from '../../base/index.ts';
import { isSameProcess, processStartTime } from '../../process/index.ts';
import { openStore } from '../../store/index.ts';
import { ActivityFeed, Journal } from '../../task/index.ts';
import { OwnerServer } from './owner-server.ts';
import { Owners } from './owners.ts';

/** A task of another process, which is `sleep` for so many seconds; its door is opened here. */
async function ownedBySleeper(seconds: string) {
  const directory = mkdtempSync(join(tmpdir(), 'remit-owners-'));
  const sleeper = spawn('sleep', [seconds], { stdio: 'ignore' });
  const server = await OwnerServer.open(join(directory, 'owner.sock'), silentLog);
  const store = openStore(directory);
  onTestFinished(() => {
    sleeper.kill('SIGKILL');
    server.close();
    store.close();
    rmSync(directory, { recursive: true });
  });
  const feed = new ActivityFeed();
  const unasked = () => Promise.reject(new Error('nobody asks for this'));
  server.serve({ control: unasked, delegate: unasked, release: unasked, watch: (...heard) => feed.listen(...heard) });
  const pid = sleeper.pid ?? 0;
  const owner = { pid, startTime: processStartTime(pid) ?? '', ownerId: 'other', socket: server.path };
  new Journal(store, owner, silentLog).create(runningRecord('t'), () => {});
  const journal = new Journal(store, { ...owner, pid: process.pid, ownerId: 'test', socket: null }, silentLog);
  return { server, journal, feed, owner };
}

test('what another process tells is heard, and its task lands when that process has ended, however long it takes', async () => {
  const { server, journal, feed, owner } = await ownedBySleeper('7');
  const { promise: landed, resolve: recovered } = Promise.withResolvers<void>();
  const recover = async () => recovered();
  const owners = new Owners({ journal, feed: new ActivityFeed(), recover, log: silentLog });
  const { promise: heard, resolve } = Promise.withResolvers<unknown>();
  using _watch = owners.watch('t', resolve);
  await expect.poll(() => server.isQuiet).toBe(false);
  const telling = setInterval(() => feed.publish('t', { type: 'message', text: 'hello' }), 10);
  expect(await heard).toEqual({ type: 'message', text: 'hello' });
  clearInterval(telling);
  // It ends in order: first it takes no more calls.
  server.close();
  await landed;
  expect(isSameProcess(owner.pid, owner.startTime)).toBe(false);
});
