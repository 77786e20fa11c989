import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createWorktree,
  discoverRepository,
  listFilteredPaths,
  readSourceState,
  removeWorktree,
  snapshotRefs,
} from './index.ts';
import { runGit } from './run-git.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

async function discover(): Promise<string> {
  const found = await discoverRepository(await fixture.open(), fixture.source);
  return found.kind === 'refused' ? `${found.code}: ${found.reason}` : 'found';
}

const FILES = [
  'HEAD',
  'config',
  'commondir',
  'shallow',
  'packed-refs',
  'index',
  'info/attributes',
  'info/exclude',
  'objects/info/alternates',
  'objects/pack/pack-x.idx',
  'refs/heads/odd',
  'worktrees/x/gitdir',
];

describe('a repository with a file that never ends', () => {
  test.each(FILES)('is refused before any Git reads it: a pipe as %s', async (name) => {
    const path = join(fixture.source, '.git', name);
    mkdirSync(join(path, '..'), { recursive: true });
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
    expect(await discover()).toMatch(new RegExp(`^unsupported_platform: .*${name} is not a regular file`));
  });

  test.each(['/dev/zero', '/proc/self/environ'])('is refused: a rule file that leads to %s', async (target) => {
    for (const name of ['info/attributes', 'info/exclude', 'objects/info/alternates', 'HEAD']) {
      const path = join(fixture.source, '.git', name);
      mkdirSync(join(path, '..'), { recursive: true });
      rmSync(`${path}.kept`, { force: true });
      put(path, 'ref: refs/heads/main\n');
      renameSync(path, `${path}.kept`);
      symlinkSync(target, path);
      expect(await discover()).toMatch(new RegExp(`^unsupported_platform: .*${name} is not a regular file`));
      rmSync(path);
      if (name === 'HEAD') renameSync(`${path}.kept`, path);
    }
    expect(await discover()).toBe('found');
  });

  test.each(['core.attributesFile', 'core.excludesFile'])(
    'is refused: a pipe, a device and a huge file as %s',
    async (key) => {
      const pipe = join(fixture.folder, 'pipe');
      const huge = join(fixture.folder, 'huge');
      execFileSync('mkfifo', [pipe]);
      writeFileSync(huge, '');
      truncateSync(huge, 2 ** 40);
      for (const [target, reason] of [
        [pipe, /pipe is not a regular file/],
        ['/dev/zero', /zero is not a regular file/],
        [huge, /huge has 1099511627776 bytes/],
      ] as const) {
        fixture.git('config', key, target);
        expect(await discover()).toMatch(reason);
      }
      fixture.git('config', key, '/dev/null');
      expect(await discover()).toBe('found');
      const dotfile = join(fixture.home, 'dotfile');
      put(dotfile, '*.o\n');
      symlinkSync(dotfile, join(fixture.home, 'linked'));
      fixture.git('config', key, '~/linked');
      expect(await discover()).toBe('found');
    },
  );

  test('that became so later does not hold up the source state, the filters, the registrations or a snapshot', async () => {
    const { git, repository, workspace } = await fixture.workspace();
    for (const name of ['info/attributes', 'hooks/pipe', 'worktrees/t2/gitdir']) {
      mkdirSync(join(fixture.source, '.git', name, '..'), { recursive: true });
      execFileSync('mkfifo', [join(fixture.source, '.git', name)]);
    }
    expect(await readSourceState(git, repository, repository.head)).toMatchObject({
      unavailable: true,
      reason: expect.stringContaining('not a regular file'),
    });
    await expect(listFilteredPaths(git, repository, repository.head)).rejects.toThrow(/info\/attributes/);
    expect(await snapshotRefs(git, repository)).toHaveProperty('hooks/pipe');
    rmSync(join(fixture.source, '.git/worktrees/t2'), { recursive: true });
    execFileSync('mkfifo', [join(fixture.source, '.git/worktrees/t1/locked.new')]);
    renameSync(join(fixture.source, '.git/worktrees/t1/locked.new'), join(fixture.source, '.git/worktrees/t1/locked'));
    expect(await removeWorktree(git, repository, { directory: workspace.worktree })).toMatchObject({ kind: 'foreign' });
  });

  test('makes a Git call end at its deadline, with the verb in the message', async () => {
    const pipe = join(fixture.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    fixture.git('config', 'include.path', pipe);
    const git = await fixture.open();
    const call = runGit(
      git,
      { cwd: fixture.source, variables: {}, configuration: 'user' },
      {
        args: ['config', '--list'],
        timeoutMs: 300,
      },
    );
    await expect(call).rejects.toThrow('git config did not end within 0.3 s and was ended');
  });
});

describe('a Git directory with a link where Git writes', () => {
  test.each(['refs', 'refs/heads', 'objects/pack', 'objects', 'logs', 'logs/refs', 'worktrees', 'packed-refs'])(
    'is refused: %s',
    async (name) => {
      const path = join(fixture.source, '.git', name);
      mkdirSync(path, { recursive: true });
      renameSync(path, join(fixture.folder, 'moved'));
      symlinkSync(join(fixture.folder, 'moved'), path);
      expect(await discover()).toMatch(new RegExp(`^unsupported_platform: .*/${name} is a symbolic link`));
    },
  );

  test('gets no worktree, and the reason is said once', async () => {
    const { git, repository } = await fixture.repository();
    const outside = join(fixture.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(fixture.source, '.git/worktrees'));
    const made = await createWorktree(git, repository, {
      branch: 'remit/t1',
      directory: join(fixture.folder, 'state/worktrees/t1'),
      base: repository.head,
      hostDirectory: join(fixture.folder, 'state/host/t1'),
    });
    expect(made).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^[^\n]*worktrees is a symbolic link[^\n]*$/),
    });
    expect(fixture.git('branch', '--list', 'remit/*')).toBe('');
  });
});
