/** For this room's tests: real repositories in temporary folders, and a user's Git that is not the one under test. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createWorktree, discoverRepository, type Git, openGit, type Repository, type Workspace } from './index.ts';

export interface Fixture extends Disposable {
  /** Temporary folder that everything stands in. */
  readonly folder: string;
  readonly home: string;
  readonly source: string;
  /** Written to by every program that must not run. */
  readonly marker: string;
  git(...args: string[]): string;
  gitIn(directory: string, args: string[], options?: { input?: string | Buffer; env?: Record<string, string> }): string;
  write(path: string, content: string | Buffer, mode?: number): void;
  commit(message?: string): string;
  open(): Promise<Git>;
  repository(): Promise<{ git: Git; repository: Repository }>;
  workspace(options?: {
    base?: string;
    id?: string;
  }): Promise<{ git: Git; repository: Repository; workspace: Workspace }>;
  markerText(): string;
  /** An executable that leaves a line in the marker. */
  trap(path: string): string;
}

/** A repository with `a.txt`, `src/x.ts` and one commit. */
export function makeFixture(options: { objectFormat?: string; empty?: boolean } = {}): Fixture {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-git-')));
  const home = join(folder, 'home');
  const source = join(folder, 'source');
  const marker = join(folder, 'marker');
  mkdirSync(home);
  mkdirSync(source);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.test\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  );
  const gitIn: Fixture['gitIn'] = (directory, args, { input, env } = {}) =>
    execFileSync('git', args, {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
      ...(input === undefined ? {} : { input }),
    }).toString('latin1');
  const fixture: Fixture = {
    folder,
    home,
    source,
    marker,
    gitIn,
    git: (...args) => gitIn(source, args).trimEnd(),
    write(path, content, mode) {
      put(join(source, path), content, mode);
    },
    commit(message = 'change') {
      fixture.git('add', '-A');
      fixture.git('commit', '-q', '--no-verify', '-m', message);
      return fixture.git('rev-parse', 'HEAD');
    },
    open: () => openGit({ environment: { HOME: home } }),
    async repository() {
      const git = await fixture.open();
      const found = await discoverRepository(git, source);
      if (found.kind !== 'repository') throw new Error(found.reason);
      return { git, repository: found.repository };
    },
    async workspace({ base, id = 't1' } = {}) {
      const { git, repository } = await fixture.repository();
      const created = await createWorktree(git, repository, {
        branch: `remit/${id}`,
        directory: join(folder, 'state', 'worktrees', id),
        base: base ?? repository.head,
        hostDirectory: join(folder, 'state', 'host', id),
      });
      if (created.kind !== 'created') throw new Error(`${created.kind}: ${created.reason}`);
      return { git, repository, workspace: created.workspace };
    },
    markerText: () => (existsSync(marker) ? readFileSync(marker, 'utf8') : ''),
    trap(path) {
      put(path, `#!/bin/sh\necho "$0" >> ${marker}\ncat\n`, 0o755);
      return path;
    },
    [Symbol.dispose]() {
      execFileSync('chmod', ['-R', 'u+rwX', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  fixture.git('init', '-q', `--object-format=${options.objectFormat ?? 'sha1'}`, '.');
  if (options.empty !== true) {
    fixture.write('a.txt', 'a\n');
    fixture.write('src/x.ts', 'export const x = 1;\n');
    fixture.commit('base');
  }
  return fixture;
}

export function put(path: string | Buffer, content: string | Buffer, mode?: number): void {
  if (typeof path === 'string') mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (mode !== undefined) chmodSync(path, mode);
}

/** Everything of a repository that must not change: files, index, HEAD, refs, configuration, objects, stash. */
export function describeSource(fixture: Fixture): Record<string, string> {
  const { source } = fixture;
  const others = fixture
    .git('for-each-ref')
    .split('\n')
    .filter((line) => !line.includes('refs/heads/remit/'));
  return {
    refs: others.join('\n'),
    head: readFileSync(join(source, '.git', 'HEAD'), 'utf8'),
    index: readFileSync(join(source, '.git', 'index')).toString('base64'),
    config: readFileSync(join(source, '.git', 'config'), 'utf8'),
    files: execFileSync('find', [
      source,
      '-path',
      join(source, '.git'),
      '-prune',
      '-o',
      '-printf',
      '%p %m %s %T@\n',
    ]).toString(),
  };
}
