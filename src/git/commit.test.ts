import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitTree, moveBranch, publishObjects, readRef, scanWorkspace, writeTree } from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';
import { appendTrailers } from './trailers.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

const trailers = [
  { key: 'Remit-Task', value: 't1' },
  { key: 'Remit-Contract', value: `sha256:${'0'.repeat(64)}` },
];

async function withTree() {
  const opened = await fixture.workspace();
  put(join(opened.workspace.worktree, 'src/deep/n.ts'), 'new\n');
  const { tree } = await writeTree(opened.git, opened.workspace, await scanWorkspace(opened.git, opened.workspace));
  return { ...opened, tree };
}

describe('a commit', () => {
  test.each(['sha1', 'sha256'])(
    'is made on the base, published whole and moved to, and nothing else changes (%s)',
    async (objectFormat) => {
      fixture[Symbol.dispose]();
      fixture = makeFixture({ objectFormat });
      for (const name of ['reference-transaction', 'post-checkout', 'pre-commit', 'commit-msg', 'post-commit'])
        fixture.trap(join(fixture.source, '.git/hooks', name));
      fixture.git('config', 'commit.gpgsign', 'true');
      fixture.git('config', 'gpg.program', fixture.trap(join(fixture.folder, 'gpg.sh')));
      const { git, repository, workspace, tree } = await withTree();
      rmSync(fixture.marker, { force: true });
      const before = describeSource(fixture);
      const commit = await commitTree(git, workspace, { tree, message: 'Add n', trailers });
      expect(() => fixture.git('cat-file', '-e', commit)).toThrow();
      await publishObjects(git, workspace, commit);
      await publishObjects(git, workspace, commit);
      expect(await moveBranch(git, repository, { branch: 'remit/t1', from: workspace.base, to: commit })).toEqual({
        kind: 'moved',
      });
      expect(describeSource(fixture)).toEqual(before);
      expect(fixture.markerText()).toBe('');
      expect(fixture.git('rev-parse', 'remit/t1', 'remit/t1^{tree}', 'remit/t1^').split('\n')).toEqual([
        commit,
        tree,
        workspace.base,
      ]);
      expect(
        fixture
          .git('log', '-1', '--format=%an <%ae> %cn <%ce> %(trailers:key=Remit-Task,valueonly)', 'remit/t1')
          .trim(),
      ).toBe('Ada <ada@example.test> Ada <ada@example.test> t1');
      rmSync(workspace.hostDirectory, { recursive: true });
      fixture.git('fsck', '--full', '--strict');
      fixture.git('gc', '-q', '--prune=now');
      expect(fixture.git('show', 'remit/t1:src/deep/n.ts')).toBe('new');
    },
  );

  test('keeps the message byte for byte', async () => {
    const { git, workspace, tree } = await withTree();
    for (const message of [
      '-x --amend\n',
      '# only\n# comments\n',
      '  spaces  \n\n\n\nbody \t\nend',
      'é 🎉\r\nx',
      `${'long '.repeat(50_000)}\n`,
    ]) {
      const commit = await commitTree(git, workspace, { tree, message, trailers });
      const raw = Buffer.from(
        fixture.gitIn(fixture.source, ['--git-dir', workspace.gitDirectory, 'cat-file', 'commit', commit]),
        'latin1',
      ).toString('utf8');
      expect(raw.slice(raw.indexOf('\n\n') + 2).startsWith(message)).toBe(true);
    }
    await expect(commitTree(git, workspace, { tree, message: 'a\0b', trailers })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('is refused without an identity', async () => {
    const { git, workspace, tree } = await withTree();
    rmSync(join(fixture.home, '.gitconfig'));
    await expect(commitTree(git, workspace, { tree, message: 'm', trailers })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('moving the branch', () => {
  test('tells a moved ref, a deleted ref and a lock apart', async () => {
    const { git, repository, workspace, tree } = await withTree();
    const commit = await commitTree(git, workspace, { tree, message: 'm', trailers });
    await publishObjects(git, workspace, commit);
    const move = { branch: 'remit/t1', from: workspace.base, to: commit };
    const lock = join(fixture.source, '.git/refs/heads/remit/t1.lock');
    put(lock, '');
    expect(await moveBranch(git, repository, move)).toMatchObject({
      kind: 'locked',
      reason: expect.stringContaining('t1.lock'),
    });
    rmSync(lock);
    fixture.write('a.txt', '2');
    const other = fixture.commit();
    fixture.git('update-ref', 'refs/heads/remit/t1', other);
    expect(await moveBranch(git, repository, move)).toEqual({ kind: 'ref_moved', current: other });
    fixture.git('update-ref', '-d', 'refs/heads/remit/t1');
    expect(await moveBranch(git, repository, move)).toEqual({ kind: 'ref_moved', current: undefined });
    rmSync(join(fixture.source, '.git'), { recursive: true });
    expect(await moveBranch(git, repository, move)).toMatchObject({ kind: 'unknown' });
  });

  test('never moves another branch by way of a symbolic ref', async () => {
    const { git, repository, workspace, tree } = await withTree();
    const commit = await commitTree(git, workspace, { tree, message: 'm', trailers });
    await publishObjects(git, workspace, commit);
    fixture.git('symbolic-ref', 'refs/heads/remit/t1', 'refs/heads/main');
    await moveBranch(git, repository, { branch: 'remit/t1', from: workspace.base, to: commit });
    expect(await readRef(git, repository, 'refs/heads/main')).toBe(workspace.base);
  });
});

describe('trailers', () => {
  test.each([
    ['Title', 'Title\n\nRemit-Task: t1\n'],
    ['Title\n\nBody.\n', 'Title\n\nBody.\n\nRemit-Task: t1\n'],
    [
      'Title\n\nBody.\n\nCo-authored-by: B <b@e.test>\n',
      'Title\n\nBody.\n\nCo-authored-by: B <b@e.test>\nRemit-Task: t1\n',
    ],
    ['fix: title only', 'fix: title only\n\nRemit-Task: t1\n'],
    ['Title\n\nSee: this\nand prose\n', 'Title\n\nSee: this\nand prose\n\nRemit-Task: t1\n'],
    ['Title\n\nnote\nSigned-off-by: B <b@e.test>\n', 'Title\n\nnote\nSigned-off-by: B <b@e.test>\nRemit-Task: t1\n'],
  ])('are put after %j by the rules of Git', (message, expected) => {
    expect(appendTrailers(message, [{ key: 'Remit-Task', value: 't1' }])).toBe(expected);
  });

  test('are found by Git after any message', () => {
    const line = fc.constantFrom(
      '',
      '',
      'Title',
      'Body text.',
      'Key: value',
      ' continued',
      'Signed-off-by: A <a@e.test>',
      '---',
      '# note',
      'https://e.test',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 7 }), (rest) => {
        const lines = ['Title', ...rest];
        const message = appendTrailers(lines.join('\n'), [{ key: 'Remit-Task', value: 't1' }]);
        const parsed = fixture.gitIn(
          fixture.source,
          ['-c', 'core.commentChar=;', 'interpret-trailers', '--parse', '--no-divider'],
          { input: message },
        );
        expect(parsed).toContain('Remit-Task: t1');
      }),
      { numRuns: 150 },
    );
  });
});
