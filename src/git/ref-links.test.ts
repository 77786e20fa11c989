import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorktree, moveBranch, removeWorktree } from './index.ts';
import { type Fixture, makeFixture } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

/** `plant` acts after the repository was found: its discovery would refuse some of this already. */
async function create(plant: () => void = () => {}) {
  const { git, repository } = await fixture.repository();
  plant();
  return createWorktree(git, repository, {
    branch: 'remit/t1',
    directory: join(fixture.folder, 'state/worktrees/t1'),
    base: repository.head,
    hostDirectory: join(fixture.folder, 'state/host/t1'),
  });
}

function plantLink(place: string, target: string): void {
  const path = join(fixture.source, '.git', place);
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(target, path);
}

const refs = () => fixture.git('for-each-ref', '--format=%(refname)').split('\n').toSorted();

describe('a new branch', () => {
  test('is not made through a symbolic ref to nothing', async () => {
    fixture.git('symbolic-ref', 'refs/heads/remit/t1', 'refs/heads/release');
    expect(await create()).toMatchObject({ kind: 'branch_exists' });
    expect(refs()).toEqual(['refs/heads/main']);
    expect(fixture.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('is not made below a symbolic ref to nothing', async () => {
    fixture.git('symbolic-ref', 'refs/heads/remit', 'refs/heads/release');
    expect(await create()).toMatchObject({ kind: 'ref_conflict' });
    expect(refs()).toEqual(['refs/heads/main']);
  });

  test.each([
    ['refs/heads/remit', '../tags'],
    ['refs/heads/remit/t1', '../../../description'],
    ['refs/heads/remit/t1', 'nothing'],
    ['logs/refs/heads/remit', '../../../../../outside'],
    ['logs/refs/heads/remit/t1', '../../../../../../outside/log'],
  ])('is not made where %s is a link', async (place, target) => {
    const outside = join(fixture.folder, 'outside');
    mkdirSync(outside);
    expect(await create(() => plantLink(place, target))).toMatchObject({
      kind: 'ref_conflict',
      reason: expect.stringContaining(`${place} is a symbolic link`),
    });
    expect(refs()).toEqual(['refs/heads/main']);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('is the one that is checked out, whatever tag has its name', async () => {
    const base = fixture.git('rev-parse', 'HEAD');
    fixture.write('a.txt', '2');
    const other = fixture.commit();
    fixture.git('tag', 'remit/t1', base);
    expect(await create()).toMatchObject({ kind: 'created' });
    const worktree = join(fixture.folder, 'state/worktrees/t1');
    expect(fixture.gitIn(worktree, ['symbolic-ref', 'HEAD']).trim()).toBe('refs/heads/remit/t1');
    expect(fixture.gitIn(worktree, ['rev-parse', 'HEAD']).trim()).toBe(other);
    expect(fixture.gitIn(worktree, ['status', '--porcelain'])).toBe('');
  });

  test('is gone again when the worktree could not be registered', async () => {
    const { git, repository } = await fixture.repository();
    const made = await createWorktree(git, repository, {
      branch: 'remit/t1',
      directory: join(fixture.folder, 'state/worktrees/t1'),
      base: '1'.repeat(40),
      hostDirectory: join(fixture.folder, 'state/host/t1'),
    });
    expect(made).toMatchObject({ kind: 'failed' });
    expect(refs()).toEqual(['refs/heads/main']);
  });
});

test('a branch is neither moved nor deleted through a link', async () => {
  const { git, repository, workspace } = await fixture.workspace({ id: 'x/t1' });
  const from = repository.head;
  fixture.git('tag', 't1', from);
  fixture.git('update-ref', '-d', 'refs/heads/remit/x/t1');
  expect(existsSync(join(fixture.source, '.git/refs/heads/remit/x'))).toBe(false);
  plantLink('refs/heads/remit/x', '../../tags');
  const to = fixture.gitIn(fixture.source, ['commit-tree', `${from}^{tree}`, '-p', from, '-m', 'x']).trim();
  expect(await moveBranch(git, repository, { branch: 'remit/x/t1', from, to })).toMatchObject({ kind: 'failed' });
  const removal = { directory: workspace.worktree, deleteBranch: { branch: 'remit/x/t1', at: from } };
  expect(await removeWorktree(git, repository, removal)).toEqual({ kind: 'removed', branchDeleted: false });
  expect(fixture.git('rev-parse', 'refs/tags/t1')).toBe(from);
});
