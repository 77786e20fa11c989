import { RemitError } from '../base/index.ts';
import { findLock, GitFailure } from './run-git.ts';

/** Why a task's branch or worktree cannot be made. */
export interface Obstacle {
  readonly kind: 'branch_exists' | 'ref_conflict' | 'path_exists' | 'stale_registration' | 'locked' | 'failed';
  readonly reason: string;
}

export function describeFailure(error: unknown): Obstacle {
  if (error instanceof RemitError && error.code === 'ownership_ambiguous')
    return { kind: 'locked', reason: error.message };
  if (error instanceof GitFailure) {
    const lock = findLock(error.stderr);
    if (lock !== undefined) return { kind: 'locked', reason: lock.reason };
    return { kind: 'failed', reason: error.message };
  }
  return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
}
