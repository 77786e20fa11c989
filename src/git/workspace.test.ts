import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodePath, encodePath } from '../base/index.ts';
import {
  diffTree,
  openWorkspace,
  readTreeFile,
  readTreeFiles,
  scanWorkspace,
  settleWorkspace,
  type WorkChange,
  writeTree,
} from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';

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

describe('a scan', () => {
  test('of a fresh worktree finds nothing, touched files included', async () => {
    const { git, workspace } = await fixture.workspace();
    utimesSync(join(workspace.worktree, 'a.txt'), 1, 1);
    expect(await scanWorkspace(git, workspace)).toEqual([]);
  });

  test('still sees a change of equal size and time after the index was settled', async () => {
    const { git, workspace } = await fixture.workspace();
    await settleWorkspace(workspace);
    const file = join(workspace.worktree, 'a.txt');
    const { mtime } = lstatSync(file);
    put(file, 'b\n');
    utimesSync(file, mtime, mtime);
    expect(summary(await scanWorkspace(git, workspace))).toEqual(['modified a.txt file']);
  });

  test('reports every kind of change with what is there now', async () => {
    fixture.write('gone.txt', 'x');
    fixture.write('mode.sh', 'x');
    fixture.write('link', 'x');
    fixture.write('dir/f', 'x');
    fixture.write('file', 'x');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    const at = (path: string) => join(workspace.worktree, path);
    put(at('a.txt'), 'other\n');
    rmSync(at('gone.txt'));
    chmodSync(at('mode.sh'), 0o755);
    rmSync(at('link'));
    symlinkSync('/etc/passwd', at('link'));
    rmSync(at('dir'), { recursive: true });
    put(at('dir'), 'now a file');
    rmSync(at('file'));
    put(at('file/inner'), 'now a folder');
    put(at('src/new.ts'), 'new');
    execFileSync('mkfifo', [at('src/pipe'), at('outside')]);
    const changes = await scanWorkspace(git, workspace);
    expect(summary(changes)).toEqual([
      'modified a.txt file',
      'added dir file',
      'deleted dir/f file',
      'deleted file file',
      'added file/inner file',
      'deleted gone.txt file',
      'modified link symlink',
      'modified mode.sh executable',
      'added outside special',
      'added src/new.ts file',
      'added src/pipe special',
    ]);
    expect(changes.find(({ path }) => path === 'link')?.linkTarget).toBe('/etc/passwd');
  });

  test('does not hang on a pipe in the place of a tracked file', async () => {
    const { git, workspace } = await fixture.workspace();
    rmSync(join(workspace.worktree, 'a.txt'));
    execFileSync('mkfifo', [join(workspace.worktree, 'a.txt')]);
    const changes = await scanWorkspace(git, workspace);
    expect(summary(changes)).toEqual(['modified a.txt special']);
    const written = await writeTree(git, workspace, changes);
    expect(written.refused).toEqual([{ path: 'a.txt', reason: 'special_file' }]);
  });

  test('does not trust ignore files, index bits or an exclude file that the worker wrote', async () => {
    const { git, workspace } = await fixture.workspace();
    const { worktree } = workspace;
    put(join(worktree, 'secret/.gitignore'), '*\n');
    put(join(worktree, 'secret/outside.txt'), 'x');
    put(join(worktree, '.gitignore'), '*\n');
    put(join(fixture.source, '.git/info/exclude'), '*\n');
    fixture.gitIn(worktree, ['update-index', '--skip-worktree', 'a.txt']);
    fixture.gitIn(worktree, ['update-index', '--assume-unchanged', 'src/x.ts']);
    put(join(worktree, 'a.txt'), 'changed');
    put(join(worktree, 'src/x.ts'), 'changed');
    expect(summary(await scanWorkspace(git, workspace))).toEqual([
      'added .gitignore file',
      'modified a.txt file',
      'added secret/.gitignore file',
      'added secret/outside.txt file',
      'modified src/x.ts file',
    ]);
  });

  test('marks what the base and the user ignore, folds ignored folders, and unfolds them where asked', async () => {
    fixture.write('.gitignore', 'dist/\nnode_modules\n*.log\n');
    fixture.write('src/.gitignore', '/gen\n!keep.log\n');
    fixture.write('tracked.log', 'x');
    put(join(fixture.home, '.config/git/ignore'), '*.swp\n');
    fixture.git('add', '-f', 'tracked.log');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    const at = (path: string) => join(workspace.worktree, path);
    put(at('dist/app.js'), 'x');
    put(at('node_modules/p/index.js'), 'x');
    put(at('src/gen/y.ts'), 'x');
    put(at('src/keep.log'), 'x');
    put(at('src/drop.log'), 'x');
    put(at('x.swp'), 'x');
    put(at('tracked.log'), 'changed');
    mkdirSync(at('empty/er'), { recursive: true });
    expect(
      summary(await scanWorkspace(git, workspace, { expandIgnored: (directory) => directory === 'dist' })),
    ).toEqual([
      'added dist/app.js file ignored',
      'added node_modules directory ignored',
      'added src/drop.log file ignored',
      'added src/gen directory ignored',
      'added src/keep.log file',
      'modified tracked.log file',
      'added x.swp file ignored',
    ]);
  });

  test('reports nested repositories and what was put into a submodule, whatever its settings say', async () => {
    const inner = join(fixture.folder, 'inner');
    mkdirSync(inner);
    fixture.gitIn(inner, ['init', '-q', '.']);
    put(join(inner, 'f'), 'f');
    fixture.gitIn(inner, ['add', '-A']);
    fixture.gitIn(inner, ['commit', '-qm', 'inner']);
    fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'vendor/sub');
    fixture.git('config', '-f', '.gitmodules', 'submodule.vendor/sub.ignore', 'all');
    fixture.git('config', 'submodule.vendor/sub.ignore', 'all');
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    expect(await scanWorkspace(git, workspace)).toEqual([]);
    const sub = join(workspace.worktree, 'vendor/sub');
    fixture.gitIn(sub, ['clone', '-q', inner, '.']);
    fixture.gitIn(sub, ['config', 'core.fsmonitor', fixture.trap(join(fixture.folder, 'trap.sh'))]);
    fixture.gitIn(sub, ['config', 'filter.f.clean', join(fixture.folder, 'trap.sh')]);
    put(join(sub, '.gitattributes'), '* filter=f\n');
    put(join(sub, 'f'), 'g');
    fixture.gitIn(workspace.worktree, ['init', '-q', 'src/nested']);
    put(join(workspace.worktree, 'src/nested/f'), 'x');
    fixture.gitIn(join(workspace.worktree, 'src/nested'), ['add', '-A']);
    fixture.gitIn(join(workspace.worktree, 'src/nested'), ['commit', '-qm', 'x']);
    mkdirSync(join(workspace.worktree, 'src/.git'));
    const changes = await scanWorkspace(git, workspace);
    expect(summary(changes)).toEqual([
      'added src/.git nested_repository',
      'added src/nested nested_repository',
      'modified vendor/sub submodule',
    ]);
    const written = await writeTree(git, workspace, changes);
    expect(written.refused.map(({ reason }) => reason)).toEqual([
      'nested_repository',
      'nested_repository',
      'submodule',
    ]);
    expect(written.taken).toEqual([]);
    expect(fixture.markerText()).toBe('');
  });

  test('keeps names of any bytes, through tree and diff', async () => {
    const { git, workspace } = await fixture.workspace();
    const names = [
      'caf\xe9.txt',
      'new\nline',
      'quo"te',
      'a -> b',
      'tab\there',
      'src\\evil.ts',
      'x.ts ',
      '!note.md',
      '#h',
      ':(glob)x',
    ];
    const bytes = [...names.map((name) => Buffer.from(name, 'latin1')), Buffer.from('🎉.md')];
    for (const name of bytes) put(Buffer.concat([Buffer.from(`${workspace.worktree}/src/`), name]), 'z');
    const expected = bytes.map((name) => `src/${decodePath(name)}`).toSorted();
    const changes = await scanWorkspace(git, workspace);
    expect(changes.map(({ path }) => path)).toEqual(expected);
    const { tree, taken, refused } = await writeTree(git, workspace, changes);
    expect(refused).toEqual([]);
    expect(taken.map(({ path }) => path).toSorted()).toEqual(expected);
    const diff = await diffTree(git, workspace, tree);
    expect(diff.files.map(({ path }) => path).toSorted()).toEqual(expected);
    const files = await readTreeFiles(git, workspace, tree, expected);
    expect(files.map((file) => file?.bytes.toString())).toEqual(expected.map(() => 'z'));
    expect(encodePath(expected[0] ?? '')).toBeInstanceOf(Buffer);
  });

  test('is not fooled by a replaced pointer file, commondir or configuration, and runs nothing of them', async () => {
    fixture.git('config', 'extensions.worktreeConfig', 'true');
    const { git, workspace } = await fixture.workspace();
    const { worktree } = workspace;
    const admin = readFileSync(join(worktree, '.git'), 'utf8').replace('gitdir: ', '').trim();
    const trap = fixture.trap(join(worktree, 'src/trap.sh'));
    put(join(admin, 'config.worktree'), `[filter "z"]\n\tclean = ${trap}\n[core]\n\tfsmonitor = ${trap}\n`);
    put(join(fixture.source, '.git/info/attributes'), '* filter=z\n');
    put(join(admin, 'commondir'), join(fixture.folder, 'nowhere'));
    rmSync(join(worktree, '.git'));
    fixture.gitIn(worktree, ['init', '-q', '--separate-git-dir=.fake', '.']);
    fixture.gitIn(worktree, ['config', 'core.fsmonitor', trap]);
    fixture.gitIn(worktree, ['config', 'filter.z.clean', trap]);
    put(join(worktree, '.gitattributes'), '* filter=z\n');
    put(join(worktree, 'a.txt'), 'changed');
    const paths = (await scanWorkspace(git, workspace)).map(({ path }) => path);
    expect(paths).toContain('a.txt');
    expect(paths.some((path) => path.startsWith('.fake'))).toBe(true);
    await writeTree(git, workspace, await scanWorkspace(git, workspace));
    expect(fixture.markerText()).toBe('');
  });
});

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
      const { tree, refused } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
      expect(refused).toEqual([]);
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

describe('a diff', () => {
  test('is the same bytes whatever the user or the work configures', async () => {
    fixture.git('config', 'diff.noprefix', 'true');
    fixture.git('config', 'diff.context', '0');
    fixture.git('config', 'color.ui', 'always');
    fixture.git('config', 'diff.external', fixture.trap(join(fixture.folder, 'external.sh')));
    const { git, workspace } = await fixture.workspace();
    put(join(workspace.worktree, '.gitattributes'), '*.ts -diff\n');
    put(join(workspace.worktree, 'src/x.ts'), 'export const x = 2;\n');
    const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    const { diff, stat, files } = await diffTree(git, workspace, tree);
    expect(diff.toString()).toContain(
      '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-export const x = 1;\n+export const x = 2;\n',
    );
    expect(stat).toContain('2 files changed');
    expect(files.map(({ path, status, binary }) => `${status} ${path} ${binary}`)).toEqual([
      'added .gitattributes false',
      'modified src/x.ts false',
    ]);
    expect(fixture.markerText()).toBe('');
  });

  test('counts lines with and without their endings', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`);
    fixture.write('src/long.txt', `${lines.join('\n')}\n`);
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    put(join(workspace.worktree, 'src/long.txt'), `${lines.with(7, 'one word').join('\r\n')}\r\n`);
    put(join(workspace.worktree, 'a.txt'), 'a\r\n');
    const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    const { files } = await diffTree(git, workspace, tree);
    expect(files).toMatchObject([
      { path: 'a.txt', additions: 1, additionsWithoutLineEndings: 0 },
      {
        path: 'src/long.txt',
        additions: 500,
        deletions: 500,
        additionsWithoutLineEndings: 1,
        deletionsWithoutLineEndings: 1,
      },
    ]);
  });

  test('shows renames and binaries, and says when it was cut', async () => {
    fixture.write('src/old.txt', 'a line of text\n'.repeat(50));
    fixture.commit();
    const { git, workspace } = await fixture.workspace();
    renameSync(join(workspace.worktree, 'src/old.txt'), join(workspace.worktree, 'src/new.txt'));
    put(join(workspace.worktree, 'src/bin'), Buffer.from([0, 1, 2]));
    put(join(workspace.worktree, 'src/many'), 'line\n'.repeat(5_000));
    const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    const diff = await diffTree(git, workspace, tree, { maxDiffBytes: 1_000 });
    expect(diff.files).toMatchObject([
      { path: 'src/bin', status: 'added', binary: true },
      { path: 'src/many', additions: 5_000 },
      { path: 'src/new.txt', oldPath: 'src/old.txt', status: 'renamed' },
    ]);
    expect([diff.truncated, diff.diff.length <= 1_000, diff.totalBytes > 5_000]).toEqual([true, true, true]);
    expect(diff.sha256).toBe((await diffTree(git, workspace, tree)).sha256);
  });
});
