import { copyFile, lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { visibleLine } from '../base/index.ts';
import { findHiddenRef, makeBranch, removeBranch } from './make-branch.ts';
import type { Git } from './open-git.ts';
import { fillWorkspace, makeHostView, removeHostView } from './open-workspace.ts';
import { findLink } from './ref-links.ts';
import { removeEntry } from './remove-directory.ts';
import { commonPlace, type Repository } from './repository.ts';
import { type RepositoryFacts, readFacts } from './repository-facts.ts';
import { firstLines, GitFailure, runGit } from './run-git.ts';
import type { Workspace } from './workspace.ts';
import { describeFailure, type Obstacle } from './worktree-obstacle.ts';
import { findRegistration, LOCK_REASON } from './worktree-registration.ts';

export interface WorktreeOptions {
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Absolute; must not exist. Its parent is made. */
  readonly directory: string;
  /** Commit hash. */
  readonly base: string;
  /** Absolute; where the host keeps its view (see `Workspace`). */
  readonly hostDirectory: string;
}

export type WorktreeCreation = { readonly kind: 'created'; readonly workspace: Workspace } | Obstacle;

const MAX_ATTEMPTS = 10;
const RETRY_MS = 10;

/**
 * Makes the branch at `base` and a full checkout of it, registered and locked in the user's repository. Paths under a
 * filter get the blob's own bytes. Nothing is left behind when it does not succeed, and nothing is removed that this call
 * did not make. `known`: facts of the base, where the caller has just read them.
 */
export async function createWorktree(
  git: Git,
  repository: Repository,
  options: WorktreeOptions,
  known?: RepositoryFacts,
): Promise<WorktreeCreation> {
  const obstacle =
    (await findHiddenRef(git, repository, options.branch)) ?? (await findPathObstacle(repository, options));
  if (obstacle !== undefined) return obstacle;
  let facts: RepositoryFacts;
  try {
    facts = known ?? (await readFacts(git, repository, options.base));
  } catch (error) {
    return describeFailure(error);
  }
  await mkdir(dirname(options.directory), { recursive: true, mode: 0o700 });
  const refusal = await makeBranch(git, repository, options);
  if (refusal !== undefined) return refusal;
  return fill(git, repository, options, facts);
}

/** From here on the branch is this call's own. */
async function fill(
  git: Git,
  repository: Repository,
  options: WorktreeOptions,
  facts: RepositoryFacts,
): Promise<WorktreeCreation> {
  const view = { ...options, worktree: options.directory };
  const [registered, viewed] = await Promise.allSettled([
    registerPatiently(git, repository, options),
    makeHostView(git, repository, view, facts),
  ]);
  try {
    if (registered.status === 'rejected') throw registered.reason;
    if (registered.value !== undefined) {
      // What is there is somebody else's, who was faster.
      if (registered.value.kind === 'path_exists') await undoBesideWorktree(git, repository, options);
      else await undo(git, repository, options);
      return registered.value;
    }
    if (viewed.status === 'rejected') throw viewed.reason;
    const workspace = await fillWorkspace(git, repository, view);
    await handOverIndex(workspace);
    return { kind: 'created', workspace };
  } catch (error) {
    await undo(git, repository, options);
    return describeFailure(error);
  }
}

async function findPathObstacle(repository: Repository, options: WorktreeOptions): Promise<Obstacle | undefined> {
  const link = await findLink(repository.commonDir, ['worktrees']);
  if (link !== undefined) return { kind: 'failed', reason: link };
  if (await exists(options.directory)) {
    return {
      kind: 'path_exists',
      reason: `${visibleLine(options.directory)} exists already and Remit did not make it now; move it away`,
    };
  }
  if (await exists(join(options.hostDirectory, 'git'))) {
    return {
      kind: 'path_exists',
      reason: `${visibleLine(options.hostDirectory)} holds the record of another task; move it away`,
    };
  }
  const registration = await findRegistration(repository, options.directory);
  if (registration === undefined) return undefined;
  return {
    kind: 'stale_registration',
    reason: `Git still lists a worktree at ${visibleLine(options.directory)}, whose folder is gone; run: git worktree unlock PATH, then git worktree prune`,
  };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * `git worktree add` reads every other worktree's registration, and dies on one that another Git is writing at the
 * moment ("failed to read .git/worktrees/X/commondir"). That is over in milliseconds, so it is tried again.
 */
async function registerPatiently(
  git: Git,
  repository: Repository,
  options: WorktreeOptions,
): Promise<Obstacle | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const refusal = await register(git, repository, options);
    const isRace = refusal?.kind === 'failed' && /failed to read .*(commondir|gitdir)/.test(refusal.reason);
    if (!isRace || attempt === MAX_ATTEMPTS) return refusal;
    await setTimeout(RETRY_MS * attempt);
  }
}

/** Registers the worktree without files: those come from the host's own view, which knows no filter and no hook. */
async function register(git: Git, repository: Repository, options: WorktreeOptions): Promise<Obstacle | undefined> {
  const { branch, directory } = options;
  const reason = `${LOCK_REASON} ${branch.split('/').at(-1)}`;
  try {
    await runGit(git, commonPlace(repository), {
      args: ['worktree', 'add', '-q', '--no-checkout', '--lock', '--reason', reason, '--', directory, branch],
    });
    return undefined;
  } catch (error) {
    const stderr = error instanceof GitFailure ? error.stderr : '';
    if (/already exists$/m.test(stderr)) return { kind: 'path_exists', reason: firstLines(stderr) };
    return describeFailure(error);
  }
}

/** The worker's Git gets a copy of the index; the host's own stays where no worker reaches it. */
async function handOverIndex(workspace: Workspace): Promise<void> {
  const pointer = await readFile(join(workspace.worktree, '.git'), 'utf8');
  const adminDirectory = pointer.replace(/^gitdir: /, '').trim();
  await copyFile(workspace.indexFile, join(adminDirectory, 'index'));
}

async function undo(git: Git, repository: Repository, options: WorktreeOptions): Promise<void> {
  await removeEntry(options.directory);
  if ((await findRegistration(repository, options.directory)) !== undefined) {
    await runGit(git, commonPlace(repository), {
      args: ['worktree', 'remove', '--force', '--force', '--', options.directory],
      normalExits: [0, 1, 128],
    });
  }
  await undoBesideWorktree(git, repository, options);
}

async function undoBesideWorktree(git: Git, repository: Repository, options: WorktreeOptions): Promise<void> {
  await removeBranch(git, repository, options);
  await removeHostView({ ...options, worktree: options.directory });
}
