import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import { joinRecords, readConfiguration, splitRecords } from './configuration.ts';
import { type IgnoreFile, joinIgnoreRules } from './ignore-rules.ts';
import { listBorrowed } from './object-directories.ts';
import type { Git } from './open-git.ts';
import { type CarriedSettings, createPrivateDirectory, readCarriedSettings } from './private-directory.ts';
import { readBlobs } from './read-objects.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';
import { objectPlace, type Workspace, worktreePlace } from './workspace.ts';

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
  const gitDirectory = join(options.hostDirectory, 'git');
  const objects = join(repository.commonDir, 'objects');
  return {
    repository,
    worktree: await realpath(options.worktree).catch(() => options.worktree),
    base: options.base,
    hostDirectory: options.hostDirectory,
    gitDirectory,
    indexFile: join(options.hostDirectory, 'index'),
    ignoreFile: join(options.hostDirectory, 'ignore'),
    objectDirectories: [join(gitDirectory, 'objects'), objects],
    borrowedDirectories: await listBorrowed(objects),
  };
}

/** Fills a worktree that has nothing but its `.git` file, and makes the host's view of it. */
export async function fillWorkspace(git: Git, repository: Repository, options: WorkspaceOptions): Promise<Workspace> {
  await mkdir(options.hostDirectory, { recursive: true, mode: 0o700 });
  const workspace = await layOut(repository, options);
  const configuration = await readConfiguration(git, checkoutPlace(repository));
  const carried = await readCarriedSettings(git, repository, configuration);
  await createPrivateDirectory({
    path: workspace.gitDirectory,
    objectFormat: repository.objectFormat,
    borrow: [join(repository.commonDir, 'objects')],
    head: options.base,
    carried,
  });
  await runGit(git, worktreePlace(workspace, workspace.indexFile), {
    args: ['read-tree', '-u', '--reset', options.base],
  });
  await writeFile(workspace.ignoreFile, Buffer.from(await collectIgnoreRules(git, workspace, carried), 'latin1'));
  return workspace;
}

export async function removeHostView(options: WorkspaceOptions): Promise<void> {
  for (const name of ['git', 'index', 'index.lock', 'ignore']) {
    await rm(join(options.hostDirectory, name), { recursive: true, force: true });
  }
}

async function collectIgnoreRules(git: Git, workspace: Workspace, carried: CarriedSettings): Promise<string> {
  const listing = await runGit(git, worktreePlace(workspace, workspace.indexFile), {
    args: ['ls-files', '--stage', '-z', '--', ':(glob)**/.gitignore'],
  });
  const entries = splitRecords(listing.stdout)
    .map((record) => /^100\d{3} ([0-9a-f]+) 0\t(?:(.*)\/)?\.gitignore$/s.exec(record.toString('latin1')))
    .filter((match) => match !== null);
  const blobs = await readBlobs(
    git,
    objectPlace(workspace),
    joinRecords(entries.map(([, object = '']) => Buffer.from(object))),
  );
  const files: IgnoreFile[] = entries.map(([, , directory = ''], at) => ({
    directory,
    text: blobs[at]?.bytes.toString('latin1') ?? '',
  }));
  const weaker = [carried.globalExcludes, carried.infoExcludes].map((bytes) => bytes?.toString('latin1') ?? '');
  return joinIgnoreRules(weaker, files);
}
