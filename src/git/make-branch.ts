import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleLine } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { findRefLink } from './ref-links.ts';
import { commonPlace, type Repository } from './repository.ts';
import { firstLines, GitFailure, runGit } from './run-git.ts';
import { describeFailure, type Obstacle } from './worktree-obstacle.ts';

interface BranchPlace {
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Commit hash. */
  readonly base: string;
}

/**
 * What Git itself would overlook when it makes the branch: a link on the way to its file, and a symbolic ref whose target does
 * not exist, which is in no list, yet whoever writes to it writes to the target.
 */
export async function findHiddenRef(git: Git, repository: Repository, branch: string): Promise<Obstacle | undefined> {
  const link = await findRefLink(repository, branch);
  if (link !== undefined) return { kind: 'ref_conflict', reason: link };
  return (await mayBeSymbolic(git, repository, branch)) ? branchExists(branch) : undefined;
}

/** A symbolic ref is never packed: where refs are files, it is one (and whatever else is one there exists as well). */
async function mayBeSymbolic(git: Git, repository: Repository, branch: string): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  if (!existsSync(join(repository.commonDir, 'reftable'))) {
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

/** Only if there is none. It is not left to `worktree add -b`, which follows symbolic refs. */
export async function makeBranch(
  git: Git,
  repository: Repository,
  { branch, base }: BranchPlace,
): Promise<Obstacle | undefined> {
  const absent = '0'.repeat(base.length);
  try {
    await runGit(git, commonPlace(repository), {
      args: ['update-ref', '--no-deref', `refs/heads/${branch}`, base, absent],
    });
    return undefined;
  } catch (error) {
    const conflict = await findRefConflict(git, repository, branch);
    if (conflict !== undefined) return conflict;
    const stderr = error instanceof GitFailure ? error.stderr : '';
    if (/reference already exists/.test(stderr)) return { kind: 'branch_exists', reason: firstLines(stderr) };
    if (/exists; cannot create/.test(stderr)) return { kind: 'ref_conflict', reason: firstLines(stderr) };
    return describeFailure(error);
  }
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

/** Only while it still is where this call put it. */
export async function removeBranch(git: Git, repository: Repository, { branch, base }: BranchPlace): Promise<void> {
  await runGit(git, commonPlace(repository), {
    args: ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, base],
    normalExits: [0, 1, 128],
  });
}
