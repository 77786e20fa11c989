import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorktree, discoverRepository, removeWorktree, type WorktreeOptions } from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

function options(base: string, id = 't1'): WorktreeOptions {
  return {
    branch: `remit/${id}`,
    directory: join(fixture.folder, 'state/worktrees', id),
    base,
    hostDirectory: join(fixture.folder, 'state/host', id),
  };
}

async function create(id = 't1') {
  const { git, repository } = await fixture.repository();
  return createWorktree(git, repository, options(repository.head, id));
}

function expectNothingLeft(id = 't1'): void {
  expect(existsSync(join(fixture.folder, 'state/worktrees', id))).toBe(false);
  expect(existsSync(join(fixture.folder, 'state/host', id, 'git'))).toBe(false);
  expect(fixture.git('worktree', 'list').split('\n')).toHaveLength(1);
}

describe('a new worktree', () => {
  test('is made although other Gits make theirs in the same repository at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => create(`many-${n}`)));
    expect(made.map(({ kind }) => kind)).toEqual(made.map(() => 'created'));
  });

  test('is a clean, full, locked checkout of the base, and the source is as before', async () => {
    const before = describeSource(fixture);
    const { workspace } = await fixture.workspace();
    expect(fixture.gitIn(workspace.worktree, ['status', '--porcelain'])).toBe('');
    expect(fixture.gitIn(workspace.worktree, ['rev-parse', '--abbrev-ref', 'HEAD']).trim()).toBe('remit/t1');
    expect(fixture.git('worktree', 'list', '--porcelain')).toContain('locked Remit task t1');
    expect(readFileSync(join(workspace.worktree, 'src/x.ts'), 'utf8')).toBe('export const x = 1;\n');
    expect(describeSource(fixture)).toEqual(before);
    fixture.git('worktree', 'prune');
    expect(existsSync(join(workspace.worktree, '.git'))).toBe(true);
  });

  test('survives a prune while its folder is away', async () => {
    const { workspace } = await fixture.workspace();
    renameSync(workspace.worktree, `${workspace.worktree}.away`);
    fixture.git('worktree', 'prune', '--expire=now');
    renameSync(`${workspace.worktree}.away`, workspace.worktree);
    expect(fixture.gitIn(workspace.worktree, ['status', '--porcelain'])).toBe('');
  });

  test('runs no hook, filter or monitor, and gives filtered paths their own bytes', async () => {
    const trap = fixture.trap(join(fixture.folder, 'trap.sh'));
    fixture.write('.gitattributes', '*.bin filter=lfs\n');
    fixture.write('src/m.bin', 'pointer\n');
    fixture.write('.githooks/post-checkout', '');
    fixture.trap(join(fixture.source, '.githooks/post-checkout'));
    fixture.commit();
    for (const name of ['post-checkout', 'reference-transaction', 'post-index-change'])
      fixture.trap(join(fixture.source, '.git/hooks', name));
    put(
      join(fixture.home, '.gitconfig'),
      `${readFileSync(join(fixture.home, '.gitconfig'), 'utf8')}[filter "lfs"]\n\tsmudge = ${trap}\n\tclean = ${trap}\n\tprocess = ${trap}\n\trequired = true\n`,
    );
    rmSync(fixture.marker, { force: true });
    for (const hooksPath of [undefined, '.githooks']) {
      if (hooksPath !== undefined)
        put(
          join(fixture.source, '.git/config'),
          `${readFileSync(join(fixture.source, '.git/config'), 'utf8')}[core]\n\thooksPath = ${hooksPath}\n\tfsmonitor = ${trap}\n`,
        );
      const { git, repository, workspace } = await fixture.workspace({ id: `h${hooksPath?.length ?? 0}` });
      expect(readFileSync(join(workspace.worktree, 'src/m.bin'), 'utf8')).toBe('pointer\n');
      const removed = await removeWorktree(git, repository, {
        directory: workspace.worktree,
        deleteBranch: { branch: `remit/h${hooksPath?.length ?? 0}`, at: repository.head },
      });
      expect(removed).toEqual({ kind: 'removed', branchDeleted: true });
    }
    expect(fixture.markerText()).toBe('');
  });

  test('can be made from a linked worktree, a worktree of a bare repository, a borrowing clone, a shallow clone and a submodule', async () => {
    const linked = join(fixture.folder, 'linked');
    const bare = join(fixture.folder, 'bare.git');
    const ofBare = join(fixture.folder, 'of-bare');
    const borrowing = join(fixture.folder, 'borrowing');
    const shallow = join(fixture.folder, 'shallow');
    fixture.git('worktree', 'add', '-q', '--detach', linked);
    fixture.git('clone', '-q', '--bare', fixture.source, bare);
    fixture.gitIn(bare, ['worktree', 'add', '-q', '-b', 'w', ofBare]);
    fixture.git('clone', '-q', '--shared', fixture.source, borrowing);
    put(join(borrowing, '.git/objects/info/alternates'), '../../../source/.git/objects\n');
    fixture.git('clone', '-q', '--depth=1', `file://${fixture.source}`, shallow);
    const submodule = join(borrowing, 'sub');
    fixture.gitIn(borrowing, [
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      fixture.source,
      'sub',
    ]);
    const git = await fixture.open();
    for (const [at, source] of [linked, ofBare, borrowing, shallow, submodule].entries()) {
      const found = await discoverRepository(git, source);
      if (found.kind !== 'repository') throw new Error(found.reason);
      const created = await createWorktree(git, found.repository, options(found.repository.head, `l${at}`));
      expect(created).toMatchObject({ kind: 'created' });
      expect(fixture.gitIn(join(fixture.folder, 'state/worktrees', `l${at}`), ['status', '--porcelain'])).toBe('');
    }
  });

  test.each([
    ['remit', 'ref_conflict', /the branch remit exists/],
    ['remit/t1/x', 'ref_conflict', /the branch remit\/t1\/x exists/],
    ['remit/t1', 'branch_exists', /the branch remit\/t1 exists already/],
  ])('is refused when the branch %s exists, before anything is made', async (branch, kind, reason) => {
    fixture.git('branch', branch);
    expect(await create()).toMatchObject({ kind, reason: expect.stringMatching(reason) });
    expectNothingLeft();
    expect(fixture.git('branch', '--list', branch)).toContain(branch);
  });

  test('does not mind a branch with a name that only looks alike', async () => {
    fixture.git('branch', 'remit-x');
    fixture.git('branch', 'remit/t1x');
    expect(await create()).toMatchObject({ kind: 'created' });
  });

  test('tells a path, a stale registration and a lock apart, and removes only what it made', async () => {
    mkdirSync(join(fixture.folder, 'state/worktrees/t1'), { recursive: true });
    expect(await create()).toMatchObject({ kind: 'path_exists' });
    expect(existsSync(join(fixture.folder, 'state/worktrees/t1'))).toBe(true);
    await create('t2');
    rmSync(join(fixture.folder, 'state/worktrees/t2'), { recursive: true });
    rmSync(join(fixture.folder, 'state/host/t2'), { recursive: true });
    fixture.git('update-ref', '-d', 'refs/heads/remit/t2');
    expect(await create('t2')).toMatchObject({ kind: 'stale_registration', reason: expect.stringMatching(/prune/) });
    put(join(fixture.source, '.git/refs/heads/remit/t3.lock'), '');
    expect(await create('t3')).toMatchObject({
      kind: 'locked',
      reason: expect.stringMatching(/t3\.lock exists \(\d+ s old\)/),
    });
    expect(existsSync(join(fixture.source, '.git/refs/heads/remit/t3.lock'))).toBe(true);
    expect(fixture.git('worktree', 'list')).not.toContain('t3');
  });

  test('leaves nothing behind when the checkout fails', async () => {
    const object = fixture.git('rev-parse', 'HEAD:src/x.ts');
    const { git, repository } = await fixture.repository();
    rmSync(join(fixture.source, '.git/objects', object.slice(0, 2), object.slice(2)));
    expect(await createWorktree(git, repository, options(repository.head))).toMatchObject({ kind: 'failed' });
    expectNothingLeft();
    expect(fixture.git('branch', '--list', 'remit/t1')).toBe('');
    expect(readdirSync(join(fixture.folder, 'state/host/t1'))).toEqual([]);
  });
});

describe('removing a worktree', () => {
  test('follows no link, opens closed folders, and prunes only its own registration', async () => {
    const { git, repository, workspace } = await fixture.workspace();
    await create('t2');
    rmSync(join(fixture.folder, 'state/worktrees/t2'), { recursive: true });
    put(join(fixture.folder, 'modules/keep'), 'x');
    symlinkSync(join(fixture.folder, 'modules'), join(workspace.worktree, 'node_modules'));
    put(join(workspace.worktree, 'closed/f'), 'x');
    chmodSync(join(workspace.worktree, 'closed'), 0o500);
    rmSync(join(workspace.worktree, '.git'));
    expect(await removeWorktree(git, repository, { directory: workspace.worktree })).toEqual({
      kind: 'removed',
      branchDeleted: false,
    });
    expect(existsSync(workspace.worktree)).toBe(false);
    expect(lstatSync(join(fixture.folder, 'modules/keep')).isFile()).toBe(true);
    expect(readdirSync(join(fixture.source, '.git/worktrees'))).toEqual(['t2']);
    expect(fixture.git('branch', '--list', 'remit/t1')).toContain('remit/t1');
    expect(await removeWorktree(git, repository, { directory: workspace.worktree })).toMatchObject({ kind: 'removed' });
  });

  test('keeps a branch that moved', async () => {
    const { git, repository, workspace } = await fixture.workspace();
    fixture.gitIn(workspace.worktree, ['commit', '-q', '--allow-empty', '-m', 'work']);
    const removal = { directory: workspace.worktree, deleteBranch: { branch: 'remit/t1', at: repository.head } };
    expect(await removeWorktree(git, repository, removal)).toEqual({ kind: 'removed', branchDeleted: false });
    expect(fixture.git('branch', '--list', 'remit/t1')).toContain('remit/t1');
  });

  test("leaves alone what is not Remit's", async () => {
    const { git, repository } = await fixture.repository();
    const mine = join(fixture.folder, 'mine');
    fixture.git('worktree', 'add', '-q', '--detach', mine);
    expect(await removeWorktree(git, repository, { directory: mine })).toMatchObject({ kind: 'foreign' });
    expect(await removeWorktree(git, repository, { directory: fixture.home })).toMatchObject({ kind: 'foreign' });
    expect(existsSync(join(mine, 'a.txt'))).toBe(true);
  });
});
