import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RemitError } from '../base/index.ts';
import {
  compareRefs,
  discoverRepository,
  listFilteredPaths,
  openGit,
  readIdentity,
  readRef,
  readSourceState,
  resolveCommit,
  snapshotRefs,
} from './index.ts';
import { describeSource, type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

async function discover(directory: string) {
  const found = await discoverRepository(await fixture.open(), directory);
  return found.kind === 'refused' ? `${found.code}: ${found.reason}` : found;
}

/** A program called `git` that runs the real one after some shell text. */
function wrapper(text: string): string {
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  put(join(fixture.folder, 'bin/git'), `#!/bin/sh\n${text}\nexec ${real} "$@"\n`, 0o755);
  return join(fixture.folder, 'bin');
}

describe('Git itself', () => {
  test('is found once as an absolute path, never in a relative entry of PATH', async () => {
    const git = await openGit({ searchPath: `.::node_modules/.bin:${process.env['PATH']}` });
    expect(git.executable.startsWith('/')).toBe(true);
    expect(git.version).toMatch(/^\d+\.\d+/);
    await expect(openGit({ searchPath: '.:' })).rejects.toThrow(RemitError);
  });

  test('is refused when it is too old', async () => {
    put(join(fixture.folder, 'bin/git'), '#!/bin/sh\necho git version 2.38.9\n', 0o755);
    await expect(openGit({ searchPath: join(fixture.folder, 'bin') })).rejects.toThrow(/2\.38\.9 is too old/);
  });

  test('gets nothing of the host environment that could steer it', async () => {
    process.env['GIT_DIR'] = '/nowhere';
    try {
      expect(await discover(fixture.source)).toMatchObject({ kind: 'repository' });
    } finally {
      delete process.env['GIT_DIR'];
    }
  });
});

describe('a repository', () => {
  test('is found from a folder below it', async () => {
    expect(await discover(join(fixture.source, 'src'))).toMatchObject({
      prefix: 'src',
      repository: {
        root: fixture.source,
        commonDir: join(fixture.source, '.git'),
        objectFormat: 'sha1',
        isShallow: false,
        head: fixture.git('rev-parse', 'HEAD'),
      },
    });
  });

  test('is the same one in a linked worktree, also of a bare repository, and with a detached HEAD', async () => {
    const linked = join(fixture.folder, 'linked');
    fixture.git('worktree', 'add', '-q', '--detach', linked);
    const main = await discover(fixture.source);
    const other = await discover(linked);
    expect(typeof main === 'object' && main.kind === 'repository' && main.repository.id).toBe(
      typeof other === 'object' && other.kind === 'repository' && other.repository.id,
    );
    const bare = join(fixture.folder, 'bare.git');
    fixture.git('clone', '-q', '--bare', fixture.source, bare);
    fixture.gitIn(bare, ['worktree', 'add', '-q', '-b', 'w', join(fixture.folder, 'of-bare')]);
    expect(await discover(join(fixture.folder, 'of-bare'))).toMatchObject({ repository: { commonDir: bare } });
  });

  test('with SHA-256 or a shallow history is accepted', async () => {
    using other = makeFixture({ objectFormat: 'sha256' });
    expect(await discover(other.source)).toMatchObject({ repository: { objectFormat: 'sha256' } });
    fixture.write('a.txt', '2');
    fixture.commit();
    const clone = join(fixture.folder, 'clone');
    fixture.git('clone', '-q', '--depth=1', `file://${fixture.source}`, clone);
    expect(await discover(clone)).toMatchObject({ repository: { isShallow: true } });
  });

  test('that cannot serve is refused with the true reason', async () => {
    using empty = makeFixture({ empty: true });
    expect(await discover(empty.source)).toMatch(/^not_git_repository: .*no commit yet/);
    const bare = join(fixture.folder, 'bare.git');
    fixture.git('clone', '-q', '--bare', fixture.source, bare);
    expect(await discover(bare)).toMatch(/^not_git_repository: .*bare repository/);
    expect(await discover(join(fixture.source, '.git'))).toMatch(/^not_git_repository: .*inside a Git directory/);
    expect(await discover(fixture.home)).toMatch(/^not_git_repository: .*not in a Git repository/);
    expect(await discover(join(fixture.folder, 'missing'))).toMatch(/^not_git_repository: .*not a directory/);
    put(join(fixture.folder, 'windows/.git'), 'gitdir: C:/repo/.git/worktrees/t\n');
    expect(await discover(join(fixture.folder, 'windows'))).toMatch(/Git on Windows created/);
    fixture.git('config', 'remote.origin.promisor', 'true');
    expect(await discover(fixture.source)).toMatch(/^unsupported_platform: .*partial clone/);
  });

  test('of another owner is refused with how to allow it, and accepted when the user allowed it', async () => {
    const searchPath = wrapper('export GIT_TEST_ASSUME_DIFFERENT_OWNER=1');
    const git = await openGit({ searchPath, environment: { HOME: fixture.home } });
    const found = await discoverRepository(git, fixture.source);
    expect(found).toMatchObject({ kind: 'refused', code: 'unsupported_platform' });
    expect(found.kind === 'refused' && found.reason).toMatch(/belongs to another user.*safe\.directory/);
    fixture.gitIn(fixture.folder, ['config', '--global', 'safe.directory', fixture.source]);
    expect(await discoverRepository(git, fixture.source)).toMatchObject({ kind: 'repository' });
  });
});

describe('a base', () => {
  test.each(['HEAD', 'main', 'v1', 'refs/heads/main', '@', 'HEAD^0'])('may be named %s', async (name) => {
    fixture.git('tag', '-a', 'v1', '-m', 'v1');
    const { git, repository } = await fixture.repository();
    expect(await resolveCommit(git, repository, name)).toBe(repository.head);
    expect(await resolveCommit(git, repository, repository.head.slice(0, 12))).toBe(repository.head);
  });

  test('may be an ancestor', async () => {
    const first = fixture.git('rev-parse', 'HEAD');
    fixture.write('a.txt', '2');
    fixture.commit();
    const { git, repository } = await fixture.repository();
    expect(await resolveCommit(git, repository, 'HEAD~1')).toBe(first);
  });

  test.each([
    '--output=/tmp/x',
    '-x',
    'HEAD:a.txt',
    '@{u}',
    'HEAD@{0}',
    'main..main',
    'main...main',
    'HEAD^@',
    'HEAD^!',
    ':/base',
    'HEAD^{tree}',
    'a\0b',
    'x y',
    '',
    'missing',
    '\ud800',
    'a*',
  ])('is refused as %j', async (name) => {
    const { git, repository } = await fixture.repository();
    expect(await resolveCommit(git, repository, name)).toBeUndefined();
  });

  test('is never what a replacement says', async () => {
    const base = fixture.git('rev-parse', 'HEAD');
    fixture.write('a.txt', '2');
    const other = fixture.commit();
    fixture.git('replace', '--graft', other);
    const { git, repository } = await fixture.repository();
    expect(await readRef(git, repository, 'refs/heads/main')).toBe(other);
    expect(await resolveCommit(git, repository, 'main~1')).toBe(base);
  });
});

describe('an identity', () => {
  test("is the user's, without a shell", async () => {
    fixture.git('config', 'user.email', `x$(touch ${fixture.marker})@e.test`);
    fixture.git('config', 'user.name', 'A <B>\nC');
    const { git, repository } = await fixture.repository();
    expect(await readIdentity(git, repository)).toMatchObject({
      kind: 'identity',
      author: `A BC <x$(touch ${fixture.marker})@e.test>`,
    });
    expect(existsSync(fixture.marker)).toBe(false);
  });

  test('has an author and a committer of its own where the configuration says so', async () => {
    const { git, repository } = await fixture.repository();
    const both = { kind: 'identity', author: 'Ada <ada@example.test>', committer: 'Ada <ada@example.test>' };
    expect(await readIdentity(git, repository)).toEqual(both);
    fixture.git('config', 'committer.email', 'host@example.test');
    expect(await readIdentity(git, repository)).toEqual({ ...both, committer: 'Ada <host@example.test>' });
    fixture.git('config', 'author.name', 'Grace');
    expect(await readIdentity(git, repository)).toMatchObject({ author: 'Grace <ada@example.test>' });
  });

  test.each([
    ['user.name', '...'],
    ['user.name', ''],
  ])('is missing when %s is %j', async (key, value) => {
    fixture.git('config', key, value);
    const { git, repository } = await fixture.repository();
    expect(await readIdentity(git, repository)).toMatchObject({
      kind: 'missing',
      reason: expect.stringMatching(/Set user\.name and user\.email/),
    });
  });

  test('is never made up from the name of the account', async () => {
    put(join(fixture.home, '.gitconfig'), '[user]\n\temail = ada@example.test\n');
    const { git, repository } = await fixture.repository();
    expect(await readIdentity(git, repository)).toMatchObject({ kind: 'missing' });
  });

  test('is missing when nothing is configured, whatever the machine is called', async () => {
    const { git, repository } = await fixture.repository();
    rmSync(join(fixture.home, '.gitconfig'));
    expect(await readIdentity(git, repository)).toMatchObject({ kind: 'missing' });
  });
});

describe('filtered paths', () => {
  test('are none where no attribute file speaks of filters', async () => {
    const { git, repository } = await fixture.repository();
    expect(await listFilteredPaths(git, repository, repository.head)).toEqual([]);
  });

  test('are listed by the attributes of the commit, of the repository and of the user', async () => {
    fixture.write('.gitattributes', '[attr]big filter=lfs\n');
    fixture.write('src/.gitattributes', '*.bin big\n*.txt -filter\n');
    fixture.write('src/m.bin', 'x');
    fixture.write('src/n.txt', 'x');
    fixture.write('o.sec', 'x');
    fixture.commit();
    put(join(fixture.source, '.git/info/attributes'), '*.sec filter=crypt\n');
    const { git, repository } = await fixture.repository();
    expect(await listFilteredPaths(git, repository, repository.head)).toEqual([
      { path: 'o.sec', filter: 'crypt' },
      { path: 'src/m.bin', filter: 'lfs' },
    ]);
  });
});

describe('the state of the source', () => {
  test('lists what is dirty and what was committed since, without touching anything or running anything', async () => {
    fixture.write('.gitignore', 'ignored\n');
    fixture.write('d.dat', 'x');
    fixture.write('.gitattributes', '*.dat filter=odd.na-me\n');
    const base = fixture.commit();
    fixture.write('later.ts', '1');
    const head = fixture.commit();
    const trap = fixture.trap(join(fixture.folder, 'trap.sh'));
    fixture.git('config', 'filter.odd.na-me.clean', trap);
    fixture.git('config', 'filter.odd.na-me.required', 'true');
    fixture.git('config', 'core.fsmonitor', trap);
    fixture.trap(join(fixture.source, '.git/hooks/post-index-change'));
    fixture.write('a.txt', 'changed');
    // As long and as old as before: only a look inside tells.
    fixture.write('d.dat', 'y');
    fixture.write('ignored', 'x');
    fixture.write('new/file', 'x');
    rmSync(join(fixture.source, 'src/x.ts'));
    const { git, repository } = await fixture.repository();
    const before = describeSource(fixture);
    expect(await readSourceState(git, repository, base)).toEqual({
      unavailable: false,
      head,
      dirtyPaths: ['a.txt', 'd.dat', 'src/x.ts', 'new/file'],
      committedPaths: ['later.ts'],
      commitsSinceBase: 1,
    });
    expect(describeSource(fixture)).toEqual(before);
    expect(fixture.markerText()).toBe('');
  });

  test("never runs Git inside a submodule, whose configuration may be anybody's", async () => {
    const trap = fixture.trap(join(fixture.folder, 'trap.sh'));
    fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', fixture.source, 'sub');
    fixture.commit();
    const sub = join(fixture.source, 'sub');
    fixture.gitIn(sub, ['config', 'core.fsmonitor', trap]);
    fixture.gitIn(sub, ['config', 'filter.f.clean', trap]);
    put(join(sub, '.gitattributes'), '* filter=f\n');
    put(join(sub, 'a.txt'), 'changed');
    const { git, repository } = await fixture.repository();
    expect(await readSourceState(git, repository, repository.head)).toMatchObject({ dirtyPaths: [] });
    expect(fixture.markerText()).toBe('');
  });

  test('sees a HEAD that went elsewhere, and works beside a lock', async () => {
    const base = fixture.git('rev-parse', 'HEAD');
    fixture.git('checkout', '-q', '--orphan', 'other');
    fixture.git('rm', '-q', '--cached', 'a.txt');
    fixture.git('commit', '-qm', 'other');
    put(join(fixture.source, '.git/index.lock'), '');
    const { git, repository } = await fixture.repository();
    expect(await readSourceState(git, repository, base)).toMatchObject({
      committedPaths: ['a.txt'],
      dirtyPaths: ['a.txt'],
    });
  });

  test('is unavailable when the checkout is gone', async () => {
    const { git, repository } = await fixture.repository();
    rmSync(fixture.source, { recursive: true });
    expect(await readSourceState(git, repository, repository.head)).toMatchObject({ unavailable: true });
  });
});

describe('a snapshot of refs', () => {
  test('shows what somebody changed, and nothing when nobody did', async () => {
    fixture.git('branch', 'remit/other');
    const { git, repository } = await fixture.repository();
    const before = await snapshotRefs(git, repository);
    expect(compareRefs(before, await snapshotRefs(git, repository))).toEqual([]);
    fixture.git('tag', 'v1');
    fixture.git('branch', '-D', 'remit/other');
    fixture.git('config', 'user.name', 'X');
    fixture.write('a.txt', 'stash me');
    fixture.git('stash');
    fixture.git('checkout', '-q', '-b', 'other');
    put(join(fixture.source, '.git/hooks/pre-push'), '#!/bin/sh\n', 0o755);
    const after = await snapshotRefs(git, repository);
    const names = compareRefs(before, after, (name) => name.startsWith('refs/heads/remit/')).map(({ name }) => name);
    expect(names).toEqual([
      'HEAD',
      'config',
      'hooks/pre-push',
      'logs/refs/stash',
      'refs/heads/other',
      'refs/stash',
      'refs/tags/v1',
    ]);
  });
});

test('a source that is reached by a link is known by its real path', async () => {
  symlinkSync(fixture.source, join(fixture.folder, 'link'));
  mkdirSync(join(fixture.source, 'deep/er'), { recursive: true });
  expect(await discover(join(fixture.folder, 'link/deep/er'))).toMatchObject({
    prefix: 'deep/er',
    repository: { root: fixture.source },
  });
  expect(readFileSync(join(fixture.source, '.git/HEAD'), 'utf8')).toContain('main');
});
