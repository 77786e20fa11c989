import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alteredFiles, openTestbed, readSourceState, restoreFiles, scanWorkspace, setTestbed } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

function pipe(...path: string[]): void {
  execFileSync('mkfifo', [join(...path)]);
}

describe('a pipe in the place of a rule file holds up nobody', () => {
  test.each(['.gitattributes', 'src/.gitattributes'])('a scan of the work finds %s and nothing else', async (name) => {
    const { git, workspace } = await fixture.workspace();
    put(join(workspace.worktree, 'src/x.ts'), 'export const x = 2;\n');
    pipe(workspace.worktree, name);
    expect(await scanWorkspace(git, workspace)).toEqual([
      { path: name, change: 'added', entry: 'special', sizeBytes: 0, ignored: false },
    ]);
  });

  test('a testbed counts as altered, and is restored', async () => {
    const { git, workspace } = await fixture.workspace();
    const testbed = await openTestbed(git, workspace, join(fixture.folder, 'state/testbed'));
    await setTestbed(git, testbed, workspace.base);
    put(join(testbed.directory, 'a.txt'), 'changed');
    pipe(testbed.directory, 'src/.gitattributes');
    const altered = await alteredFiles(git, testbed);
    expect(altered).toEqual(['src/.gitattributes']);
    await restoreFiles(git, testbed, workspace.base, altered);
    expect(await alteredFiles(git, testbed)).toEqual([]);
    expect(lstatSync(join(testbed.directory, 'a.txt')).size).toBe(2);
  });

  test.each(['.gitignore', 'src/.gitattributes'])('the state of a source with %s is unavailable', async (name) => {
    const { git, repository } = await fixture.repository();
    fixture.write('src/x.ts', 'changed');
    pipe(fixture.source, name);
    expect(await readSourceState(git, repository, repository.head)).toMatchObject({
      unavailable: true,
      reason: expect.stringContaining(`${name} is not a regular file`),
    });
  });
});
