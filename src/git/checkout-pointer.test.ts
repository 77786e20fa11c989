import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { discoverRepository } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

async function discover(directory: string): Promise<string> {
  const found = await discoverRepository(await fixture.open(), directory);
  return found.kind === 'refused' ? `${found.code}: ${found.reason}` : found.repository.gitDir;
}

function elsewhere(name = 'elsewhere'): string {
  const folder = join(fixture.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe('a pointer gives no right to a repository that does not point back', () => {
  const REFUSED = /^not_git_repository: .*does not name this checkout.*core\.worktree/;

  test('as a file', async () => {
    put(join(elsewhere(), '.git'), `gitdir: ${fixture.source}/.git\n`);
    expect(await discover(elsewhere())).toMatch(REFUSED);
    expect(await discover(elsewhere('elsewhere/below'))).toMatch(REFUSED);
  });

  test('as a link', async () => {
    symlinkSync(join(fixture.source, '.git'), join(elsewhere(), '.git'));
    expect(await discover(elsewhere())).toMatch(REFUSED);
  });

  test('as a Git directory of its own whose commondir is another', async () => {
    put(join(elsewhere(), '.git/HEAD'), 'ref: refs/heads/main\n');
    put(join(elsewhere(), '.git/commondir'), `${fixture.source}/.git\n`);
    expect(await discover(elsewhere())).toMatch(/^not_git_repository: .*is not the worktree/);
  });

  test("to the registration of another's worktree, which stays as it is however old it is", async () => {
    const linked = join(fixture.folder, 'linked');
    fixture.git('worktree', 'add', '-q', '--detach', linked);
    const registration = join(fixture.source, '.git/worktrees/linked');
    // Git writes a back pointer that is more than a day old anew, as whatever pointer it came from says.
    utimesSync(join(registration, 'gitdir'), 1_000_000_000, 1_000_000_000);
    put(join(elsewhere(), '.git'), `gitdir: ${registration}\n`);
    const refused = /^not_git_repository: .*is not the worktree.*git worktree repair/;
    expect(await discover(elsewhere())).toMatch(refused);
    // Nor may a folder that only looks like a repository lead Git past the check.
    put(join(elsewhere(), 'inner/.git/HEAD'), 'nothing\n');
    mkdirSync(join(elsewhere(), 'inner/.git/objects'));
    expect(await discover(join(elsewhere(), 'inner'))).toMatch(/^not_git_repository/);
    expect(readFileSync(join(registration, 'gitdir'), 'utf8')).toBe(`${linked}/.git\n`);
    expect(await discover(linked)).toBe(registration);
  });

  test('to the Git directory of a submodule', async () => {
    fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', fixture.source, 'sub');
    const submodule = join(fixture.source, '.git/modules/sub');
    expect(await discover(join(fixture.source, 'sub'))).toBe(submodule);
    put(join(elsewhere(), '.git'), `gitdir: ${submodule}\n`);
    expect(await discover(elsewhere())).toMatch(REFUSED);
  });
});

test('a separate Git directory is accepted when core.worktree there names the checkout', async () => {
  const gitDir = join(fixture.folder, 'kept.git');
  const root = elsewhere();
  fixture.gitIn(root, ['init', '-q', `--separate-git-dir=${gitDir}`]);
  writeFileSync(join(root, 'f'), 'x');
  fixture.gitIn(root, ['add', '.']);
  fixture.gitIn(root, ['commit', '-qm', 'first']);
  expect(await discover(root)).toMatch(/^not_git_repository: .*config core\.worktree/);
  fixture.gitIn(root, ['config', 'core.worktree', root]);
  expect(await discover(root)).toBe(gitDir);
  rmSync(join(root, '.git'));
  symlinkSync(gitDir, join(root, '.git'));
  expect(await discover(root)).toBe(gitDir);
});

test('a worktree that was moved is refused until it is repaired', async () => {
  const [linked, moved] = [join(fixture.folder, 'linked'), join(fixture.folder, 'moved')];
  fixture.git('worktree', 'add', '-q', '--detach', linked);
  renameSync(linked, moved);
  expect(await discover(moved)).toMatch(/git worktree repair/);
  fixture.gitIn(moved, ['worktree', 'repair']);
  expect(await discover(moved)).toBe(join(fixture.source, '.git/worktrees/linked'));
});

test('core.worktree cannot make another folder the checkout', async () => {
  for (const worktree of ['/', fixture.folder, join(fixture.source, 'src')]) {
    fixture.git('config', 'core.worktree', worktree);
    expect(await discover(join(fixture.source, 'src'))).toMatch(/^unsupported_platform: core\.worktree .*unset/);
  }
});

test.each(['inner', 'a:b/inner'])(
  'a Git directory in %s that Git does not accept does not lead to the one above',
  async (name) => {
    const folder = join(fixture.source, name);
    // Without `refs` Git passes it over.
    put(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(folder, '.git/objects'));
    mkdirSync(join(folder, 'below'));
    for (const directory of [folder, join(folder, 'below')]) {
      expect(await discover(directory)).toMatch(/^not_git_repository: .*inner is not in a Git repository/);
    }
  },
);
