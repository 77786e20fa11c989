import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diffTree, scanWorkspace, writeTree } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
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
    expect(stat).toBe(
      ' .gitattributes | 1 +\n src/x.ts       | 2 +-\n 2 files changed, 2 insertions(+), 1 deletion(-)\n',
    );
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

  test('counts what Git counts, whatever a file says', async () => {
    const { git, workspace } = await fixture.workspace();
    // Far enough from the start that Git takes the file for text.
    put(join(workspace.worktree, 'src/x.ts'), `${'line\n'.repeat(2_000)}\u{0}9\t9\tsrc/x.ts\u{0}`);
    const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
    const { files } = await diffTree(git, workspace, tree);
    expect(files).toMatchObject([{ path: 'src/x.ts', additions: 2_001, deletions: 1 }]);
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
