import { createHash } from 'node:crypto';
import type { Setting } from './neutral-environment.ts';
import type { GitPlace } from './run-git.ts';

/** The user's repository, seen from one of its checkouts. */
export interface Repository {
  /** Top folder of the caller's checkout. */
  readonly root: string;
  /** Git directory of that checkout; differs from `commonDir` in a linked worktree. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** The same for every checkout of the repository: 32 hex digits of the SHA-256 of `commonDir`. */
  readonly id: string;
  readonly isShallow: boolean;
  /** The commit that was checked out when the repository was discovered. */
  readonly head: string;
}

export function repositoryId(commonDir: string): string {
  return createHash('sha256').update(commonDir).digest('hex').slice(0, 32);
}

/** Refs and objects of the repository, whatever checkout. */
export function commonPlace(repository: Repository): GitPlace {
  return { cwd: repository.commonDir, variables: { GIT_DIR: repository.commonDir }, configuration: 'user' };
}

/** The caller's checkout, with its own index and HEAD. Only for reading. */
export function checkoutPlace(repository: Repository, settings: readonly Setting[] = []): GitPlace {
  return {
    cwd: repository.root,
    variables: { GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.root },
    configuration: 'user',
    settings,
  };
}
