import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodePath, encodePath } from '../base/index.ts';
import { diffTree, readTreeFiles, scanWorkspace, settleWorkspace, type WorkChange, writeTree } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

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

  test.skipIf(process.getuid?.() === 0)(
    'reports what is closed to the host instead of taking it for unchanged',
    async () => {
      const { git, workspace } = await fixture.workspace();
      put(join(workspace.worktree, 'new'), 'x', 0o000);
      put(join(workspace.worktree, 'src/x.ts'), 'changed');
      chmodSync(join(workspace.worktree, 'src'), 0o000);
      const changes = await scanWorkspace(git, workspace);
      expect(summary(changes)).toEqual(['added new file', 'modified src unreadable']);
      const { refused } = await writeTree(git, workspace, changes);
      expect(refused.map(({ path, reason }) => `${path} ${reason}`).toSorted()).toEqual([
        'new unreadable',
        'src unreadable',
      ]);
    },
  );

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
