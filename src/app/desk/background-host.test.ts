import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../store/index.ts';
import { askOwner } from '../owner/ask-owner.ts';
import { OWNER_PATHS } from '../owner/owner-server.ts';
import { startBackgroundHost } from './background-host.ts';

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const COMMAND = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, 'host'];

function place() {
  const home = mkdtempSync(join(tmpdir(), 'remit-background-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const stateDirectory = join(home, 'state');
  const sources = {
    flags: { stateDir: stateDirectory },
    environment: { PATH: process.env['PATH'], HOME: home },
    homeDirectory: home,
  };
  return { stateDirectory, sources };
}

test('waits for its first call whatever other processes commit, and ends when nobody is there any more', async () => {
  const { stateDirectory, sources } = place();
  const socket = await startBackgroundHost(COMMAND, sources);
  const store = openStore(stateDirectory);
  onTestFinished(() => store.close());
  for (let commits = 0; commits < 20; commits += 1) {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const stopListening = store.onCommit(resolve);
    store.transaction(() => {});
    await heard;
    stopListening();
  }
  const asking = askOwner(socket, OWNER_PATHS.release, { task_id: 'none' }, new AbortController().signal);
  await expect(asking).rejects.toMatchObject({ code: 'task_not_found' });
  await expect.poll(() => readdirSync(join(stateDirectory, 'run')), { timeout: 20_000 }).toEqual([]);
});

test('tells its starter why it could not begin', async () => {
  const { sources } = place();
  const starting = startBackgroundHost(COMMAND, { ...sources, flags: { stateDir: 'not/absolute' } });
  await expect(starting).rejects.toMatchObject({ code: 'invalid_request' });
});
