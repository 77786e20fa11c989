import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store, type StoredTask } from './index.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/store-process.ts');
const children: ChildProcess[] = [];
let directory: string;
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'remit-store-'));
  store = openStore(directory);
  store.transaction((tx) =>
    tx.insertTask({
      taskId: 'shared',
      repositoryId: 'r',
      state: 'running',
      owner: null,
      record: { count: 0 },
      createdAt: '2026-01-01T00:00:00.000Z',
    }),
  );
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(mode: 'count' | 'hang', transactions: number): ChildProcess {
  const child = spawn(process.execPath, [FIXTURE, directory, mode, String(transactions)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

function countIn(task: StoredTask | undefined): number {
  if (task === undefined) throw new Error('no task');
  return (task.record as { count: number }).count;
}

function counted(): { count: number; seqs: number[] } {
  const count = countIn(store.readTask('shared'));
  return { count, seqs: store.readEvents('shared').map((event) => event.seq) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a store shared by processes', () => {
  test('loses nothing of transactions that happen at once', async () => {
    const processes = [start('count', 60), start('count', 60)];
    const exits = processes.map(async (child) => (await once(child, 'exit'))[0]);
    for (let done = 0; done < 20; done += 1) {
      store.transaction((tx) => {
        const task = tx.readTask('shared');
        const record = { count: countIn(task) + 1 };
        tx.updateTask('shared', { state: 'running', record, updatedAt: 'now' }, task?.version ?? 0);
        tx.appendEvent('shared', { timestamp: 'now', type: 'counted', data: null });
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(exits)).toEqual([0, 0]);
    expect(counted()).toEqual({ count: 140, seqs: upTo(140) });
  });

  test('keeps nothing of a transaction whose process was killed inside it, and is writable at once', async () => {
    const child = start('hang', 1);
    if (child.stdout === null) throw new Error('no output');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(counted()).toEqual({ count: 0, seqs: [] });
    store.transaction((tx) => tx.appendEvent('shared', { timestamp: 'now', type: 'after', data: null }));
    expect(counted().seqs).toEqual([1]);
  });

  test('stays consistent when a writing process is killed at any moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const child = start('count', 100_000);
      if (child.stdout === null) throw new Error('no output');
      for (let chunk = 0; chunk <= round * 5; chunk += 1) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { count, seqs } = counted();
      expect(count).toBeGreaterThan(0);
      expect(seqs).toEqual(upTo(count));
    }
  });

  test('can be made by several processes at the same moment', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'remit-store-'));
    try {
      const program = `import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
        const store = openStore(${JSON.stringify(fresh)}); console.log(store.signingKey().toString('hex')); store.close();`;
      const runs = upTo(4).map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        children.push(child);
        let output = '';
        child.stdout?.on('data', (chunk) => {
          output += chunk;
        });
        const [code] = await once(child, 'close');
        return [code, output.trim()];
      });
      const results = await Promise.all(runs);
      expect(new Set(results.map(([code]) => code))).toEqual(new Set([0]));
      const keys = new Set(results.map(([, key]) => key));
      expect(keys.size).toBe(1);
      expect([...keys][0]).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });
});
