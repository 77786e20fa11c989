import { lstat } from 'node:fs/promises';
import { visibleLine } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { findLink, findRefLink } from './ref-links.ts';
import { removeEntry } from './remove-directory.ts';
import { commonPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';
import { findRegistration, LOCK_REASON } from './worktree-registration.ts';

export interface WorktreeRemoval {
  readonly directory: string;
  /** Also delete this branch (without `refs/heads/`) if it still stands at `at`: then nothing of it can be lost. */
  readonly deleteBranch?: { readonly branch: string; readonly at: string };
}

export type RemovalResult =
  | { readonly kind: 'removed'; readonly branchDeleted: boolean }
  /** Something is there that Remit did not make; it was left alone. */
  | { readonly kind: 'foreign'; readonly reason: string };

/** Removes a task's worktree and exactly its registration. May be repeated after it was interrupted. */
export async function removeWorktree(
  git: Git,
  repository: Repository,
  removal: WorktreeRemoval,
): Promise<RemovalResult> {
  const link = await findLink(repository.commonDir, ['worktrees']);
  if (link !== undefined) return { kind: 'foreign', reason: link };
  const registration = await findRegistration(repository, removal.directory);
  const isThere = await lstat(removal.directory).then(
    () => true,
    () => false,
  );
  const isOurs = registration?.lockReason?.startsWith(LOCK_REASON) === true;
  if ((isThere || registration !== undefined) && !isOurs) {
    const why = registration === undefined ? 'Git does not list it as a worktree' : 'it is not locked by Remit';
    return { kind: 'foreign', reason: `${visibleLine(removal.directory)} was left alone: ${why}` };
  }
  await removeEntry(removal.directory);
  if (registration !== undefined) {
    // The folder is gone, so this deletes the registration and looks at no file of the worktree.
    await runGit(git, commonPlace(repository), {
      args: ['worktree', 'remove', '--force', '--force', '--', removal.directory],
    });
  }
  return { kind: 'removed', branchDeleted: await deleteBranch(git, repository, removal.deleteBranch) };
}

async function deleteBranch(
  git: Git,
  repository: Repository,
  target: WorktreeRemoval['deleteBranch'],
): Promise<boolean> {
  if (target === undefined || (await findRefLink(repository, target.branch)) !== undefined) return false;
  const answer = await runGit(git, commonPlace(repository), {
    args: ['update-ref', '--no-deref', '-d', `refs/heads/${target.branch}`, target.at],
    normalExits: [0, 1, 128],
  });
  return answer.exitCode === 0;
}
