import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alteredFiles, openTestbed, removeEntry, scanWorkspace, setTestbed, writeTree } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => removeEntry(fixture.folder));

/** Folders one in another, deeper than any path can name, with a file, a link and a closed folder at the bottom. */
function digDeep(directory: string, { levels = 60, length = 200, link = '/' } = {}): void {
  const program = `
    const fs = require('fs');
    process.chdir(process.argv[1]);
    const name = 'd'.repeat(${length});
    for (let level = 0; level < ${levels}; level += 1) { fs.mkdirSync(name); process.chdir(name); fs.writeFileSync('f', 'x'); }
    fs.symlinkSync(process.argv[2], 'link');
    fs.mkdirSync('closed/inner', { recursive: true });
    fs.chmodSync('closed/inner', 0o000);
    fs.chmodSync('closed', 0o500);`;
  execFileSync(process.execPath, ['-e', program, directory, link]);
}

test('folders deeper than a path can be long are removed, and no link in them is followed', async () => {
  const outside = join(fixture.folder, 'outside');
  put(join(outside, 'keep'), 'x');
  put(join(fixture.folder, 'top/file'), 'x');
  digDeep(join(fixture.folder, 'top'), { link: outside });
  symlinkSync(outside, join(fixture.folder, 'top/link'));
  chmodSync(join(fixture.folder, 'top'), 0o500);
  await removeEntry(join(fixture.folder, 'top'));
  expect(existsSync(join(fixture.folder, 'top'))).toBe(false);
  expect(readFileSync(join(outside, 'keep'), 'utf8')).toBe('x');
  symlinkSync(outside, join(fixture.folder, 'link'));
  await removeEntry(join(fixture.folder, 'link'));
  expect(readFileSync(join(outside, 'keep'), 'utf8')).toBe('x');
});

test('thousands of folders one in another are removed without a handle on each', async () => {
  digDeep(fixture.folder, { levels: 5_000, length: 1 });
  await removeEntry(join(fixture.folder, 'd'));
  expect(existsSync(join(fixture.folder, 'd'))).toBe(false);
});

test('a scan names what is too deep to look at, and the rest is taken', async () => {
  const { git, workspace } = await fixture.workspace();
  put(join(workspace.worktree, 'src/x.ts'), 'export const x = 2;\n');
  digDeep(join(workspace.worktree, 'src'));
  const changes = await scanWorkspace(git, workspace);
  const deep = changes.filter(({ entry }) => entry === 'unreadable');
  expect(deep.length).toBeGreaterThan(0);
  expect(deep[0]?.path.startsWith('src/ddd')).toBe(true);
  const changed = changes.filter(({ path }) => path === 'src/x.ts');
  const { taken, refused } = await writeTree(git, workspace, [...changed, ...deep]);
  expect(taken.map(({ path }) => path)).toEqual(['src/x.ts']);
  expect(refused.map(({ reason }) => reason)).toEqual(deep.map(() => 'unreadable'));
});

test('a file whose folder can be listed but whose own path is too long does not pass for absent', async () => {
  const { git, workspace } = await fixture.workspace();
  const room = 4_090 - workspace.worktree.length;
  const program = `
    const fs = require('fs');
    process.chdir(process.argv[1]);
    for (let left = ${room}; left > 0; left -= 200) { const name = 'd'.repeat(Math.min(left, 200) - 1); if (name === '') break; fs.mkdirSync(name); process.chdir(name); }
    fs.writeFileSync('f'.repeat(100), 'x');`;
  execFileSync(process.execPath, ['-e', program, workspace.worktree]);
  const changes = await scanWorkspace(git, workspace);
  expect(changes).toMatchObject([{ change: 'added', entry: 'unreadable' }]);
});

test('a testbed comes back from any depth', async () => {
  const { git, workspace } = await fixture.workspace();
  const testbed = await openTestbed(git, workspace, join(fixture.folder, 'state/testbed'));
  await setTestbed(git, testbed, workspace.base);
  digDeep(testbed.directory);
  digDeep(join(testbed.directory, 'src'));
  digDeep(join(testbed.directory, '.git'));
  expect(await alteredFiles(git, testbed)).toEqual([]);
  await setTestbed(git, testbed, workspace.base);
  expect(readdirSync(testbed.directory).toSorted()).toEqual(['.git', 'a.txt', 'src']);
  expect(readdirSync(join(testbed.directory, 'src'))).toEqual(['x.ts']);
});
