import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestbed, scanWorkspace, setTestbed, writeTree } from '../git/index.ts';
import { openTaskWorkspace, type Review, type TaskRecord } from '../task/index.ts';
import { type Idle, type IdleOptions, makeIdleTask } from './test-fixture.ts';
import { Testbeds } from './testbeds.ts';

const PROVEN = {
  acceptance_criteria: [{ id: 'proven', requirement: 'The check passes', evidence: 'automated' }],
  verification: [{ id: 'check', argv: ['true'], proves: ['proven'] }],
};

async function idleTask(options: IdleOptions = {}): Promise<Idle> {
  const idle = await makeIdleTask(options);
  onTestFinished(() => idle[Symbol.dispose]());
  return idle;
}

async function treeOf(idle: Idle): Promise<string> {
  const workspace = await openTaskWorkspace(idle.record, idle.tools);
  const { git } = idle.tools;
  return (await writeTree(git, workspace, await scanWorkspace(git, workspace))).tree;
}

test('a prepared testbed holds the base, and a verification that comes early waits for that', async () => {
  const idle = await idleTask({ contract: PROVEN });
  idle.put('src/x.ts', 'export const x = 2;\n');
  const tree = await treeOf(idle);
  const testbeds = new Testbeds(idle.tools);
  testbeds.prepare(idle.record);
  await testbeds.close();
  const file = join(idle.tools.places.testbed('t'), 'src/x.ts');
  expect(readFileSync(file, 'utf8')).toBe('export const x = 1;\n');
  testbeds.prepare(idle.record);
  await Promise.all([testbeds.at(idle.record, tree), testbeds.at(idle.record, tree)]);
  expect(readFileSync(file, 'utf8')).toBe('export const x = 2;\n');
  expect(idle.logged).toEqual([]);
});

test('a task without commands and without a scanner gets none, one with a scanner does', async () => {
  const idle = await idleTask();
  for (const [secretScannerArgv, made] of [
    [undefined, false],
    [['true'], true],
  ] as const) {
    const testbeds = new Testbeds({ ...idle.tools, secretScannerArgv });
    testbeds.prepare(idle.record);
    await testbeds.close();
    expect(existsSync(idle.tools.places.testbed('t'))).toBe(made);
  }
});

test('a failure is not remembered: the next verification tries anew', async () => {
  const idle = await idleTask({ contract: PROVEN });
  const testbeds = new Testbeds(idle.tools);
  const workspace = idle.tools.places.workspace('t');
  renameSync(workspace, `${workspace}.away`);
  testbeds.prepare(idle.record);
  await testbeds.close();
  expect(idle.logged).toEqual([expect.stringContaining('a testbed could not be prepared')]);
  await expect(testbeds.at(idle.record, idle.record.base_commit)).rejects.toThrow();
  renameSync(`${workspace}.away`, workspace);
  const { directory } = await testbeds.at(idle.record, idle.record.base_commit);
  expect(existsSync(join(directory, 'a.txt'))).toBe(true);
});

test('a discarded one leaves nothing, its index neither', async () => {
  const idle = await idleTask({ contract: PROVEN });
  const testbeds = new Testbeds(idle.tools);
  await testbeds.at(idle.record, idle.record.base_commit);
  testbeds.prepare(idle.record);
  await testbeds.discard('t');
  expect(readdirSync(idle.tools.places.task('t')).filter((name) => name.startsWith('testbed'))).toEqual([]);
});

test('one that a host left behind in the middle is brought to exactly the tree', async () => {
  const idle = await idleTask({ contract: PROVEN });
  const workspace = await openTaskWorkspace(idle.record, idle.tools);
  await openTestbed(idle.tools.git, workspace, idle.tools.places.testbed('t'));
  idle.put('src/x.ts', 'export const x = 2;\n');
  const { directory } = await new Testbeds(idle.tools).at(idle.record, await treeOf(idle));
  expect(readFileSync(join(directory, 'src/x.ts'), 'utf8')).toBe('export const x = 2;\n');
});

function atReview(idle: Idle, tree: string): TaskRecord {
  const review = { tree, revision: 1 } as Review;
  return { ...idle.record, status: { state: 'review_required', phase: 'review_ready', review } };
}

test('one that was prepared for the tree at review is handed out as it is, once', async () => {
  const idle = await idleTask({ contract: PROVEN });
  idle.put('src/x.ts', 'export const x = 2;\n');
  const record = atReview(idle, await treeOf(idle));
  const tree = await treeOf(idle);
  const testbeds = new Testbeds(idle.tools);
  testbeds.prepare(record);
  await testbeds.close();
  const mark = join(idle.tools.places.testbed('t'), '.git/prepared-once');
  writeFileSync(mark, '');
  const { directory } = await testbeds.at(record, tree);
  expect(readFileSync(join(directory, 'src/x.ts'), 'utf8')).toBe('export const x = 2;\n');
  expect(existsSync(mark)).toBe(true);
  // Something may have run in it since, so the next one gets it set anew.
  writeFileSync(join(directory, 'left-behind'), '');
  await testbeds.at(record, tree);
  expect([existsSync(mark), existsSync(join(directory, 'left-behind'))]).toEqual([false, false]);
});

test('one that another host has used since it was prepared is set anew', async () => {
  const idle = await idleTask({ contract: PROVEN });
  idle.put('src/x.ts', 'export const x = 2;\n');
  const tree = await treeOf(idle);
  const record = atReview(idle, tree);
  const testbeds = new Testbeds(idle.tools);
  testbeds.prepare(record);
  await testbeds.close();
  const workspace = await openTaskWorkspace(idle.record, idle.tools);
  const other = await openTestbed(idle.tools.git, workspace, idle.tools.places.testbed('t'));
  await setTestbed(idle.tools.git, other, tree);
  writeFileSync(join(other.directory, 'src/x.ts'), 'what a failing command left');
  const { directory } = await testbeds.at(record, tree);
  expect(readFileSync(join(directory, 'src/x.ts'), 'utf8')).toBe('export const x = 2;\n');
});
