import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { findRefLink } from './ref-links.ts';
import { commonPlace, type Repository } from './repository.ts';
import { readRef } from './resolve-commit.ts';
import { findLock, firstLines, GitFailure, runGit } from './run-git.ts';

export interface BranchMove {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

export type BranchMoveResult =
  | { readonly kind: 'moved' }
  /** The branch is somewhere else, or gone (`current` undefined); nothing changed. */
  | { readonly kind: 'ref_moved'; readonly current: string | undefined }
  /** Another Git holds the lock; the branch is still at `from`. */
  | { readonly kind: 'locked'; readonly reason: string }
  /** Git could not move it; it is still at `from`. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It could not be read where the branch is now. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Moves exactly this branch from one commit to another, if it still is there: one compare-and-swap, no hook, no symbolic ref followed. */
export async function moveBranch(git: Git, repository: Repository, move: BranchMove): Promise<BranchMoveResult> {
  const name = `refs/heads/${move.branch}`;
  const link = await findRefLink(repository, move.branch);
  if (link !== undefined) return { kind: 'failed', reason: link };
  try {
    await runGit(git, commonPlace(repository), {
      args: ['update-ref', '--no-deref', name, move.to, move.from],
    });
    return { kind: 'moved' };
  } catch (error) {
    return tellWhatHappened(git, repository, move, error);
  }
}

/** Whatever the command said, the ref itself decides. */
async function tellWhatHappened(
  git: Git,
  repository: Repository,
  move: BranchMove,
  error: unknown,
): Promise<BranchMoveResult> {
  const name = `refs/heads/${move.branch}`;
  const said = error instanceof GitFailure ? firstLines(error.stderr) || error.message : String(error);
  let current: string | undefined;
  try {
    current = await readRef(git, repository, name);
  } catch {
    return { kind: 'unknown', reason: said };
  }
  if (current === move.to) return { kind: 'moved' };
  if (current !== undefined && current !== move.from) return { kind: 'ref_moved', current };
  const lock =
    error instanceof RemitError ? { reason: error.message } : findLock(error instanceof GitFailure ? error.stderr : '');
  if (lock !== undefined) return { kind: 'locked', reason: lock.reason };
  if (current === undefined) {
    // No such ref is only an answer where the repository itself can be read.
    const isThere = await lstat(join(repository.commonDir, 'HEAD')).then(
      () => true,
      () => false,
    );
    return isThere ? { kind: 'ref_moved', current } : { kind: 'unknown', reason: said };
  }
  return { kind: 'failed', reason: said };
}
