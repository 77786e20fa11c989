import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../base/index.ts';
import {
  type Git,
  openWorkspace,
  readTreeFiles,
  scanWorkspace,
  type WorkChange,
  type Workspace,
  writeTree,
} from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';

/** The content of a regular file of a tree. */
async function readTreeFile(git: Git, workspace: Workspace, tree: string, path: string): Promise<Buffer | undefined> {
  const [file] = await readTreeFiles(git, workspace, tree, [path]);
  return file?.entry === 'symlink' ? undefined : file?.bytes;
}

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

function summary(changes: readonly WorkChange[]): string[] {
  return changes.map(({ change, path, entry, ignored }) => `${change} ${path} ${entry}${ignored ? ' ignored' : ''}`);
}

describe('a written tree', () => {
  test('holds the base and exactly the given changes, and leaves the repository as it was', async () => {
    const { git, workspace } = await fixture.workspace();
    const before = describeSource(fixture);
    put(join(workspace.worktree, 'a.txt'), 'not asked for');
    put(join(workspace.worktree, 'src/run.sh'), '#!/bin/sh\n', 0o755);
    rmSync(join(workspace.worktree, 'src/x.ts'));
    symlinkSync('run.sh', join(workspace.worktree, 'src/link'));
    const changes = await scanWorkspace(git, workspace);
    const { tree, taken, refused } = await writeTree(
      git,
      workspace,
      changes.filter(({ path }) => path.startsWith('src/')),
    );
    expect(refused).toEqual([]);
    expect(taken.map(({ path, change, entry }) => `${change} ${path} ${entry}`)).toEqual([
      'added src/link symlink',
      'added src/run.sh executable',
      'deleted src/x.ts file',
    ]);
    expect((await readTreeFile(git, workspace, tree, 'a.txt'))?.toString()).toBe('a\n');
    expect(await readTreeFile(git, workspace, tree, 'src/x.ts')).toBeUndefined();
    expect(await readTreeFile(git, workspace, tree, 'src/link')).toBeUndefined();
    expect(await readTreeFile(git, workspace, tree, 'src')).toBeUndefined();
    expect(describeSource(fixture)).toEqual(before);
    expect(() => fixture.git('cat-file', '-e', tree)).toThrow();
  });

  test.each(['sha1', 'sha256'])(
    "equals what the team's own Git would write, conversions included (%s)",
    async (objectFormat) => {
      fixture[Symbol.dispose]();
      fixture = makeFixture({ objectFormat });
      fixture.git('config', 'core.autocrlf', 'input');
      fixture.write(
        '.gitattributes',
        '*.crlf text eol=crlf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n*.raw -text\n',
      );
      fixture.write('old.id', '$Id$\n');
      fixture.write('old.crlf', 'one\r\n');
      fixture.commit();
      const { git, workspace } = await fixture.workspace();
      expect(await scanWorkspace(git, workspace)).toEqual([]);
      const at = (path: string) => join(workspace.worktree, path);
      put(at('new.txt'), 'l1\r\nl2\r\n');
      put(at('new.crlf'), 'l1\r\nl2\r\n');
      put(at('new.id'), '$Id: 0123456789012345678901234567890123456789 $\n');
      put(at('new.u16'), Buffer.from('hé\r\n', 'utf16le'));
      put(at('new.raw'), 'l1\r\n');
      put(at('sub/.gitattributes'), '*.txt -text\n');
      put(at('sub/new.txt'), 'l1\r\n');
      rmSync(at('old.crlf'));
      const { tree, taken, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
      expect(refused).toEqual([]);
      for (const { path, sha256: digest } of taken)
        expect(digest).toBe(path === 'old.crlf' ? undefined : sha256(readFileSync(at(path))));
      fixture.gitIn(workspace.worktree, ['add', '-A']);
      expect(tree).toBe(fixture.gitIn(workspace.worktree, ['write-tree']).trim());
      expect(tree).toHaveLength(objectFormat === 'sha1' ? 40 : 64);
      expect((await readTreeFile(git, workspace, tree, 'new.txt'))?.toString()).toBe('l1\nl2\n');
    },
  );

  test('follows the new attributes when the worker deleted an attribute file', async () => {
    fixture.write('.gitattributes', '*.txt text\n');
    fixture.write('src/.gitattributes', '*.txt -text\n');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    rmSync(join(workspace.worktree, 'src/.gitattributes'));
    put(join(workspace.worktree, 'src/n.txt'), 'a\r\n');
    const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect((await readTreeFile(git, workspace, tree, 'src/n.txt'))?.toString()).toBe('a\n');
  });

  test('has the executable bit although the user switched file modes off', async () => {
    fixture.git('config', 'core.fileMode', 'false');
    const { git, workspace } = await fixture.workspace();
    put(join(workspace.worktree, 'src/run.sh'), 'x', 0o755);
    const { taken } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect(taken[0]?.entry).toBe('executable');
  });

  test('swaps files, folders and links for each other', async () => {
    fixture.write('dir/f', 'f');
    fixture.write('file', 'x');
    fixture.write('lib/m', 'm');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    const at = (path: string) => join(workspace.worktree, path);
    rmSync(at('dir'), { recursive: true });
    put(at('dir'), 'file');
    rmSync(at('file'));
    put(at('file/inner'), 'x');
    renameSync(at('lib'), at('real'));
    symlinkSync('real', at('lib'));
    const { tree, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect(refused).toEqual([]);
    fixture.gitIn(workspace.worktree, ['add', '-A']);
    expect(tree).toBe(fixture.gitIn(workspace.worktree, ['write-tree']).trim());
  });

  test('refuses what would push something out of the base that nobody gave', async () => {
    fixture.write('dir/f', 'f');
    fixture.write('file', 'x');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    const at = (path: string) => join(workspace.worktree, path);
    rmSync(at('dir'), { recursive: true });
    put(at('dir'), 'file');
    rmSync(at('file'));
    put(at('file/inner'), 'x');
    put(at('src/ok.ts'), 'ok');
    const changes = (await scanWorkspace(git, workspace)).filter(({ change }) => change !== 'deleted');
    const { taken, refused } = await writeTree(git, workspace, changes);
    expect(taken.map(({ path }) => path)).toEqual(['src/ok.ts']);
    expect(refused.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'dir conflicts_with_base',
      'file/inner conflicts_with_base',
    ]);
  });

  test('takes nothing under a filter, by the attributes of the new tree', async () => {
    fixture.git('config', 'filter.strip.clean', fixture.trap(join(fixture.folder, 'clean.sh')));
    fixture.write('.gitattributes', '*.dat filter=strip\n');
    const { git, workspace } = await (async () => {
      fixture.gitIn(fixture.source, ['-c', 'filter.strip.clean=cat', 'add', '-A']);
      fixture.git('commit', '-qm', 'attributes');
      return fixture.workspace();
    })();
    put(join(workspace.worktree, 'src/d.dat'), 'raw');
    put(join(workspace.worktree, 'src/.gitattributes'), '*.zip filter=other\n');
    put(join(workspace.worktree, 'src/d.zip'), 'raw');
    put(join(workspace.worktree, 'src/ok.ts'), 'x');
    const { taken, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect(refused).toEqual([
      { path: 'src/d.dat', reason: 'filtered', detail: 'strip' },
      { path: 'src/d.zip', reason: 'filtered', detail: 'other' },
    ]);
    expect(taken.map(({ path }) => path)).toEqual(['src/.gitattributes', 'src/ok.ts']);
    expect(fixture.markerText()).toBe('');
  });

  test('refuses content that cannot be converted and names that Git does not store, and takes the rest', async () => {
    fixture.write('.gitattributes', '*.u16 text working-tree-encoding=UTF-16\n');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    put(join(workspace.worktree, 'bad.u16'), 'no byte order mark');
    put(join(workspace.worktree, 'src/.GIT/config'), 'x');
    put(join(workspace.worktree, 'src/git~1'), 'x');
    put(join(workspace.worktree, 'src/ok.ts'), 'x');
    symlinkSync('x', join(workspace.worktree, '.gitmodules'));
    const { taken, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect(taken.map(({ path }) => path)).toEqual(['src/ok.ts']);
    expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason]))).toEqual({
      '.gitmodules': 'invalid_name',
      'bad.u16': 'not_convertible',
      'src/.GIT/config': 'invalid_name',
      'src/git~1': 'invalid_name',
    });
  });

  test('never reads through a link, and refuses what is too large or no longer there', async () => {
    const { git, workspace } = await fixture.workspace();
    const secret = join(fixture.folder, 'outside');
    put(join(secret, 'f'), 'secret');
    put(join(workspace.worktree, 'src/t/f'), 'mine');
    put(join(workspace.worktree, 'src/big'), Buffer.alloc(2_000));
    put(join(workspace.worktree, 'src/gone'), 'x');
    const changes = await scanWorkspace(git, workspace);
    rmSync(join(workspace.worktree, 'src/t'), { recursive: true });
    symlinkSync(secret, join(workspace.worktree, 'src/t'));
    rmSync(join(workspace.worktree, 'src/gone'));
    const { taken, refused } = await writeTree(git, workspace, changes, { maxFileBytes: 1_000 });
    expect(taken).toEqual([]);
    expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason]))).toEqual({
      'src/big': 'too_large',
      'src/gone': 'changed_while_read',
      'src/t/f': 'changed_while_read',
    });
  });

  test('takes thousands of files with long names', async () => {
    const { git, workspace } = await fixture.workspace();
    const folder = join(workspace.worktree, 'src', 'd'.repeat(100));
    mkdirSync(folder);
    for (let at = 0; at < 3_000; at += 1) writeFileSync(join(folder, `${'n'.repeat(150)}${at}`), `${at}`);
    linkSync(join(folder, `${'n'.repeat(150)}0`), join(folder, 'hard'));
    const { taken, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect([taken.length, refused.length]).toEqual([3_001, 0]);
  });

  test('can be made again after a restart, from the same record', async () => {
    const { git, repository, workspace } = await fixture.workspace();
    put(join(workspace.worktree, 'src/n.ts'), 'x');
    const first = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    const again = await openWorkspace(git, repository, workspace);
    expect(again).toEqual(workspace);
    expect((await writeTree(git, again, await scanWorkspace(git, again))).tree).toBe(first.tree);
    await expect(openWorkspace(git, repository, { ...workspace, hostDirectory: fixture.folder })).rejects.toThrow(
      /record/,
    );
  });

  test('is full although the source is sparse', async () => {
    fixture.write('big/1', '1');
    fixture.commit();
    fixture.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src');
    const { git, workspace } = await fixture.workspace();
    expect(lstatSync(join(workspace.worktree, 'big/1')).isFile()).toBe(true);
    put(join(workspace.worktree, 'big/2'), '2');
    expect(summary(await scanWorkspace(git, workspace))).toEqual(['added big/2 file']);
    expect(existsSync(join(fixture.source, 'big'))).toBe(false);
  });
});
