import { copyFile, lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RemitError, visibleLine } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { fillWorkspace, makeHostView, removeHostView } from './open-workspace.ts';
import { findLink, findRefLink } from './ref-links.ts';
import { removeEntry } from './remove-directory.ts';
import { commonPlace, type Repository } from './repository.ts';
import { type RepositoryFacts, readFacts } from './repository-facts.ts';
import { findLock, firstLines, GitFailure, runGit } from './run-git.ts';
import type { Workspace } from './workspace.ts';
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

export type WorktreeCreation =
  | { readonly kind: 'created'; readonly workspace: Workspace }
  | {
      readonly kind: 'branch_exists' | 'ref_conflict' | 'path_exists' | 'stale_registration' | 'locked' | 'failed';
      readonly reason: string;
    };

const MAX_ATTEMPTS = 10;
const RETRY_MS = 10;

type Obstacle = Exclude<WorktreeCreation, { kind: 'created' }>;

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

/**
 * What Git itself would overlook when it makes the branch: a link on the way to its file, and a symbolic ref whose target does
 * not exist, which is in no list, yet whoever writes to it writes to the target.
 */
async function findHiddenRef(git: Git, repository: Repository, branch: string): Promise<Obstacle | undefined> {
  const link = await findRefLink(repository, branch);
  if (link !== undefined) return { kind: 'ref_conflict', reason: link };
  return (await isSymbolic(git, repository, branch)) ? branchExists(branch) : undefined;
}

/** A symbolic ref is never packed: where refs are files, it is one (and whatever else is one there exists as well). */
async function isSymbolic(git: Git, repository: Repository, branch: string): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  if (!(await exists(join(repository.commonDir, 'reftable')))) {
    const facts = await lstat(join(repository.commonDir, name)).catch(() => undefined);
    return facts?.isFile() === true;
  }
  const symbolic = await runGit(git, commonPlace(repository), {
    args: ['symbolic-ref', '--quiet', name],
    normalExits: [0, 1, 128],
  });
  return symbolic.exitCode === 0;
}

function branchExists(branch: string): Obstacle {
  return {
    kind: 'branch_exists',
    reason: `the branch ${branch} exists already; use another task id, or delete that branch when it is not needed`,
  };
}

/** Why Git refused to make the branch, in words of ours; only asked when it did. */
async function findRefConflict(git: Git, repository: Repository, branch: string): Promise<Obstacle | undefined> {
  const name = `refs/heads/${branch}`;
  const parents = name
    .split('/')
    .map((_, at, parts) => parts.slice(0, at + 1).join('/'))
    .slice(2, -1);
  // A pattern matches a ref of that name and everything below it.
  const { stdout } = await runGit(git, commonPlace(repository), {
    args: ['for-each-ref', '--format=%(refname)', name, ...parents],
  });
  const refs = stdout.toString().split('\n');
  if (refs.includes(name)) return branchExists(branch);
  const conflict = refs.find((ref) => parents.includes(ref) || ref.startsWith(`${name}/`));
  if (conflict === undefined) return undefined;
  const shown = visibleLine(conflict.replace('refs/heads/', ''));
  return {
    kind: 'ref_conflict',
    reason: `the branch ${shown} exists, so Git cannot have ${branch} beside it; use another task id, or rename ${shown}`,
  };
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

/** Only if there is none. It is not left to `worktree add -b`, which follows symbolic refs. */
async function makeBranch(git: Git, repository: Repository, options: WorktreeOptions): Promise<Obstacle | undefined> {
  const absent = '0'.repeat(options.base.length);
  try {
    await runGit(git, commonPlace(repository), {
      args: ['update-ref', '--no-deref', `refs/heads/${options.branch}`, options.base, absent],
    });
    return undefined;
  } catch (error) {
    const conflict = await findRefConflict(git, repository, options.branch);
    if (conflict !== undefined) return conflict;
    const stderr = error instanceof GitFailure ? error.stderr : '';
    if (/reference already exists/.test(stderr)) return { kind: 'branch_exists', reason: firstLines(stderr) };
    if (/exists; cannot create/.test(stderr)) return { kind: 'ref_conflict', reason: firstLines(stderr) };
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

/** Only while it still is where this call put it. */
async function removeBranch(git: Git, repository: Repository, { branch, base }: WorktreeOptions): Promise<void> {
  await runGit(git, commonPlace(repository), {
    args: ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, base],
    normalExits: [0, 1, 128],
  });
}

function describeFailure(error: unknown): Obstacle {
  if (error instanceof RemitError && error.code === 'ownership_ambiguous')
    return { kind: 'locked', reason: error.message };
  if (error instanceof GitFailure) {
    const lock = findLock(error.stderr);
    if (lock !== undefined) return { kind: 'locked', reason: lock.reason };
    return { kind: 'failed', reason: error.message };
  }
  return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
}
