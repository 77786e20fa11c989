import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import { joinIgnoreRules } from './ignore-rules.ts';
import { listBorrowed } from './object-directories.ts';
import type { Git } from './open-git.ts';
import { type CarriedSettings, createPrivateDirectory, readCarriedSettings } from './private-directory.ts';
import type { Repository } from './repository.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import { runGit } from './run-git.ts';
import { type Workspace, worktreePlace } from './workspace.ts';

export interface WorkspaceOptions {
  readonly worktree: string;
  readonly base: string;
  /** A directory of this task alone. */
  readonly hostDirectory: string;
}

/** Opens the view that `createWorktree` made, for example after a restart. Throws `invalid_state` when it is not there or of another base. */
export async function openWorkspace(_git: Git, repository: Repository, options: WorkspaceOptions): Promise<Workspace> {
  const workspace = await layOut(repository, options);
  const head = await readFile(join(workspace.gitDirectory, 'HEAD'), 'utf8').catch(() => '');
  if (head.trim() !== options.base || !(await isFile(workspace.ignoreFile)) || !(await isFile(workspace.indexFile))) {
    throw new RemitError(
      'invalid_state',
      "the host's record of this task's worktree is missing or belongs to another base; start a new task",
    );
  }
  return workspace;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function layOut(repository: Repository, options: WorkspaceOptions): Promise<Workspace> {
  const paths = viewPaths(options.hostDirectory);
  const objects = join(repository.commonDir, 'objects');
  return {
    repository,
    worktree: await realpath(options.worktree).catch(() => options.worktree),
    base: options.base,
    hostDirectory: options.hostDirectory,
    ...paths,
    objectDirectories: [join(paths.gitDirectory, 'objects'), objects],
    borrowedDirectories: await listBorrowed(objects),
  };
}

function viewPaths(hostDirectory: string): Pick<Workspace, 'gitDirectory' | 'indexFile' | 'ignoreFile'> {
  return {
    gitDirectory: join(hostDirectory, 'git'),
    indexFile: join(hostDirectory, 'index'),
    ignoreFile: join(hostDirectory, 'ignore'),
  };
}

/** Makes the host's view, beside a worktree that need not be there yet. */
export async function makeHostView(
  git: Git,
  repository: Repository,
  options: WorkspaceOptions,
  facts: RepositoryFacts,
): Promise<void> {
  const { gitDirectory, ignoreFile } = viewPaths(options.hostDirectory);
  await mkdir(options.hostDirectory, { recursive: true, mode: 0o700 });
  const carried = await readCarriedSettings(git, repository, facts.configuration);
  await createPrivateDirectory({
    path: gitDirectory,
    objectFormat: repository.objectFormat,
    borrow: [join(repository.commonDir, 'objects')],
    head: options.base,
    carried,
  });
  await writeFile(ignoreFile, Buffer.from(renderIgnoreRules(facts, carried), 'latin1'));
}

/** Fills a worktree that has nothing but its `.git` file, through the host's view of it. The view counts once this is done. */
export async function fillWorkspace(git: Git, repository: Repository, options: WorkspaceOptions): Promise<Workspace> {
  const workspace = await layOut(repository, options);
  await runGit(git, worktreePlace(workspace, workspace.indexFile), {
    args: ['read-tree', '-u', '--reset', options.base],
  });
  return workspace;
}

export async function removeHostView(options: WorkspaceOptions): Promise<void> {
  for (const name of ['git', 'index', 'index.lock', 'ignore']) {
    await rm(join(options.hostDirectory, name), { recursive: true, force: true });
  }
}

function renderIgnoreRules({ rules }: RepositoryFacts, carried: CarriedSettings): string {
  const files = rules.ignores.map(({ directory, bytes }) => ({ directory, text: bytes.toString('latin1') }));
  const weaker = [carried.globalExcludes, carried.infoExcludes].map((bytes) => bytes?.toString('latin1') ?? '');
  return joinIgnoreRules(weaker, files);
}
