import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alteredFiles, openTestbed, restoreFiles, scanWorkspace, setTestbed, writeTree } from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

async function withTestbed() {
  const opened = await fixture.workspace();
  const { git, workspace } = opened;
  put(join(workspace.worktree, 'src/run.sh'), '#!/bin/sh\n', 0o755);
  put(join(workspace.worktree, 'src/x.ts'), 'export const x = 2;\n');
  symlinkSync('run.sh', join(workspace.worktree, 'src/link'));
  const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
  const testbed = await openTestbed(git, workspace, join(fixture.folder, 'state/testbed'));
  await setTestbed(git, testbed, tree);
  return { ...opened, testbed, tree, at: (path: string) => join(testbed.directory, path) };
}

describe('a testbed', () => {
  test("holds exactly the tree, and the user's repository knows nothing of it", async () => {
    fixture.write('.gitattributes', '*.crlf text eol=crlf\n');
    fixture.write('w.crlf', 'a\r\n');
    fixture.commit();
    const before = describeSource(fixture);
    const { git, testbed, at } = await withTestbed();
    expect(readFileSync(at('src/x.ts'), 'utf8')).toBe('export const x = 2;\n');
    expect(readFileSync(at('w.crlf'), 'utf8')).toBe('a\r\n');
    expect(lstatSync(at('src/run.sh')).mode & 0o100).toBe(0o100);
    expect(readlinkSync(at('src/link'))).toBe('run.sh');
    expect(await alteredFiles(git, testbed)).toEqual([]);
    expect(describeSource(fixture)).toEqual(before);
    expect(fixture.git('worktree', 'list')).not.toContain('testbed');
  });

  test('lets Git commands that only read work inside', async () => {
    const { at, repository } = await withTestbed();
    expect(fixture.gitIn(at('src'), ['rev-parse', 'HEAD']).trim()).toBe(repository.head);
    expect(fixture.gitIn(at('.'), ['status', '--porcelain'])).toBe('A  src/link\nA  src/run.sh\nM  src/x.ts\n');
    expect(fixture.gitIn(at('.'), ['log', '--format=%s']).trim()).toBe('base');
  });

  test('says which of its files a verification changed', async () => {
    const { git, testbed, at } = await withTestbed();
    put(at('a.txt'), 'changed');
    rmSync(at('src/x.ts'));
    chmodSync(at('src/run.sh'), 0o644);
    put(at('coverage/lcov'), 'x');
    put(at('src/out.js'), 'x');
    expect(await alteredFiles(git, testbed)).toEqual(['a.txt', 'src/run.sh', 'src/x.ts']);
  });

  test('has its own files restored, following no link, while what a command built stays', async () => {
    const { git, testbed, tree, at } = await withTestbed();
    const outside = join(fixture.folder, 'outside');
    put(join(outside, 'keep'), 'keep');
    put(at('build/out.js'), 'built');
    rmSync(at('a.txt'));
    put(at('a.txt/inner/file'), 'x');
    // The files are the same ones, only reached through a link.
    renameSync(at('src'), join(outside, 'src'));
    put(join(outside, 'src/run.sh'), 'changed');
    symlinkSync(join(outside, 'src'), at('src'));
    const altered = await alteredFiles(git, testbed);
    expect(altered).toEqual(['a.txt', 'src/link', 'src/run.sh', 'src/x.ts']);
    await restoreFiles(git, testbed, tree, altered);
    expect(await alteredFiles(git, testbed)).toEqual([]);
    expect([lstatSync(at('src')).isDirectory(), lstatSync(at('a.txt')).isFile()]).toEqual([true, true]);
    expect(readFileSync(at('build/out.js'), 'utf8')).toBe('built');
    expect(readFileSync(join(outside, 'src/run.sh'), 'utf8')).toBe('changed');
  });

  test('comes back to exactly the tree from any state, following no link', async () => {
    const { git, testbed, tree, at } = await withTestbed();
    const outside = join(fixture.folder, 'outside');
    put(join(outside, 'x.ts'), 'keep');
    put(join(outside, 'sub/keep'), 'keep');
    rmSync(at('src'), { recursive: true });
    symlinkSync(outside, at('src'));
    rmSync(at('a.txt'));
    put(at('a.txt/inner/file'), 'x');
    symlinkSync(outside, at('a.txt/inner/link'));
    put(at('.gitignore'), '*\n');
    put(at('deep/er/file'), 'x');
    put(at('deep/.git/HEAD'), 'ref: refs/heads/x\n');
    chmodSync(at('deep/er'), 0o500);
    execFileSync('mkfifo', [at('pipe')]);
    rmSync(at('.git'), { recursive: true });
    symlinkSync(outside, at('.git'));
    await setTestbed(git, testbed, tree);
    expect(readFileSync(join(outside, 'x.ts'), 'utf8')).toBe('keep');
    expect(existsSync(join(outside, 'sub/keep'))).toBe(true);
    expect(existsSync(join(outside, 'HEAD'))).toBe(false);
    expect(lstatSync(at('src')).isDirectory()).toBe(true);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a\n');
    for (const path of ['deep', 'pipe', '.gitignore']) expect(existsSync(at(path))).toBe(false);
    expect(await alteredFiles(git, testbed)).toEqual([]);
  });

  test('goes to another tree, restores closed folders, and works for the next task after its index was lost', async () => {
    const { git, testbed, workspace, tree, at } = await withTestbed();
    chmodSync(at('src'), 0o500);
    await setTestbed(git, testbed, workspace.base);
    expect(existsSync(at('src/run.sh'))).toBe(false);
    expect(readFileSync(at('src/x.ts'), 'utf8')).toBe('export const x = 1;\n');
    rmSync(testbed.indexFile);
    put(`${testbed.indexFile}.lock`, '');
    const next = await fixture.workspace({ id: 't2' });
    const reopened = await openTestbed(next.git, next.workspace, testbed.directory);
    await setTestbed(git, reopened, next.workspace.base);
    expect(fixture.gitIn(testbed.directory, ['status', '--porcelain'])).toBe('');
    await expect(setTestbed(git, reopened, tree)).rejects.toThrow();
  });

  test('notices a change that keeps size and time', async () => {
    const { git, testbed, at } = await withTestbed();
    const { mtime, atime } = lstatSync(at('a.txt'));
    put(at('a.txt'), 'b\n');
    execFileSync('touch', ['-d', mtime.toISOString(), at('a.txt')]);
    expect(atime).toBeInstanceOf(Date);
    expect(await alteredFiles(git, testbed)).toEqual(['a.txt']);
  });

  test('empties the folder of a submodule', async () => {
    fixture.git('update-index', '--add', '--cacheinfo', `160000,${fixture.git('rev-parse', 'HEAD')},vendor`);
    fixture.git('commit', '-qm', 'submodule');
    mkdirSync(join(fixture.source, 'vendor'));
    const { git, workspace } = await fixture.workspace();
    const testbed = await openTestbed(git, workspace, join(fixture.folder, 'state/testbed'));
    await setTestbed(git, testbed, workspace.base);
    put(join(testbed.directory, 'vendor/x'), 'x');
    await setTestbed(git, testbed, workspace.base);
    expect(existsSync(join(testbed.directory, 'vendor/x'))).toBe(false);
  });
});
