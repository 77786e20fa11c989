import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RemitError, silentLog } from '../../base/index.ts';
import { type Activity, ActivityFeed } from '../../task/index.ts';
import { askOwner, OwnerGone, openFeed } from './ask-owner.ts';
import { OWNER_PATHS, type OwnerDuties, OwnerServer } from './owner-server.ts';

const never = new AbortController().signal;
const MESSAGE: Activity = { type: 'message', text: 'hello' };

async function owner(duties: Partial<OwnerDuties> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'remit-owner-'));
  const server = await OwnerServer.open(join(folder, 'owner.sock'), silentLog);
  const feed = new ActivityFeed();
  const unasked = () => Promise.reject(new Error('nobody asks for this'));
  server.serve({
    control: unasked,
    delegate: unasked,
    release: unasked,
    watch: (taskId, listener) => feed.listen(taskId, listener),
    ...duties,
  });
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, feed, path: server.path };
}

test('the socket can be opened by its user alone', async () => {
  const { path } = await owner();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an answer comes as it was given', async () => {
  const { path } = await owner({ release: async (taskId) => ({ released: taskId }) as never });
  expect(await askOwner(path, OWNER_PATHS.release, { task_id: 'one' }, never)).toEqual({ released: 'one' });
});

test('a refusal comes with its code, its details and whether to try again', async () => {
  const refusal = new RemitError('lease_conflict', 'Taken.', { details: { by: 'two' }, retryable: true });
  const { path } = await owner({ control: () => Promise.reject(refusal) });
  await expect(askOwner(path, OWNER_PATHS.control, { input: {} }, never)).rejects.toMatchObject({
    code: 'lease_conflict',
    message: 'Taken.',
    details: { by: 'two' },
    retryable: true,
  });
});

test('what went wrong unforeseen is told without its inner words', async () => {
  const { path } = await owner({ control: () => Promise.reject(new Error('secret inner words')) });
  const error = await askOwner(path, OWNER_PATHS.control, { input: {} }, never).catch((thrown: RemitError) => thrown);
  expect(error).toMatchObject({ code: 'internal_error' });
  expect((error as RemitError).message).not.toContain('inner');
});

test('a question that this version does not know is refused as of another version', async () => {
  const { path } = await owner();
  await expect(askOwner(path, '/v9/control', {}, never)).rejects.toMatchObject({ code: 'unsupported_platform' });
});

test('an asker that goes away is known to who works for it', async () => {
  const [began, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { path } = await owner({
    control(_input, signal) {
      began.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          left.resolve();
          reject(new Error('nobody waits'));
        });
      });
    },
  });
  const abort = new AbortController();
  const asking = askOwner(path, OWNER_PATHS.control, { input: {} }, abort.signal).catch((error) => error);
  await began.promise;
  abort.abort();
  expect(await asking).toBeInstanceOf(OwnerGone);
  await left.promise;
});

test('a feed brings what goes on in its task alone, and ends with its owner', async () => {
  const { server, feed, path } = await owner();
  const heard: Activity[] = [];
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const opened = openFeed(path, 'one', (activity) => {
    heard.push(activity);
    resolve();
  });
  const talking = setInterval(() => {
    feed.publish('two', { type: 'message', text: 'of another task' });
    feed.publish('one', MESSAGE);
  }, 10);
  await first;
  clearInterval(talking);
  server.close();
  await opened.ended;
  expect(new Set(heard.map((activity) => JSON.stringify(activity)))).toEqual(new Set([JSON.stringify(MESSAGE)]));
});

test('an owner that is not there is told apart from one that refuses', async () => {
  const { server, path } = await owner();
  server.close();
  await expect(askOwner(path, OWNER_PATHS.release, {}, never)).rejects.toBeInstanceOf(OwnerGone);
  await openFeed(path, 'one', () => {}).ended;
});

test('the owner is quiet again when the last connection has gone', async () => {
  const { server, path } = await owner();
  const quiet = new Promise<void>((resolve) => {
    server.onQuiet = resolve;
  });
  const opened = openFeed(path, 'one', () => {});
  await expect.poll(() => server.isQuiet).toBe(false);
  opened.close();
  await quiet;
  expect(server.isQuiet).toBe(true);
});
