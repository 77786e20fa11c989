import type { Change } from './changes.ts';
import { commandSight } from './command-sight.ts';
import { allLines, type LineRange, uncoveredLines } from './line-ranges.ts';
import type { Observation } from './observation.ts';
import { linesShown, type Sight } from './sight.ts';

/** Whether a changed path was seen after its latest change. */
export type ReadEvidence =
  | { readonly kind: 'seen' }
  | { readonly kind: 'deletion_unseen' }
  /** Nothing that was seen of it has these lines; none when the file is empty and was not read at all. */
  | { readonly kind: 'lines_unseen'; readonly lines: readonly LineRange[] };

/** What a ledger shows of a change to a path; `worktree` is the absolute path of the worktree. */
export function readEvidence(change: Change, ledger: readonly Observation[], worktree?: string): ReadEvidence {
  // From the change itself: a read that found an unwatched change is the first sight of it.
  const sights = sightsOf(change.path, ledger.slice(change.at), worktree);
  if (change.change === 'deleted') {
    return { kind: sights.some(({ kind }) => kind === 'committed') ? 'seen' : 'deletion_unseen' };
  }
  if (sights.some(({ kind }) => kind === 'difference')) return { kind: 'seen' };
  const wanted = change.needsAll ? allLines(change.totalLines) : change.changed;
  const shown = sights.flatMap((sight) => linesShown(sight, change.totalLines));
  const lines = uncoveredLines(wanted, shown);
  const isSeen = lines.length === 0 && sights.some(({ kind }) => kind !== 'committed');
  return isSeen ? { kind: 'seen' } : { kind: 'lines_unseen', lines };
}

/** Whether anything of a path was ever seen. */
export function wasRead(path: string, ledger: readonly Observation[], worktree?: string): boolean {
  return sightsOf(path, ledger, worktree).length > 0;
}

function sightsOf(path: string, ledger: readonly Observation[], worktree: string | undefined): Sight[] {
  return ledger.flatMap((observation): Sight[] => {
    if (observation.kind === 'command')
      return commandSight(observation, worktree).filter((sight) => sight.path === path);
    if (observation.kind !== 'read' || observation.path !== path) return [];
    return [{ path, kind: 'lines', ranges: observation.ranges }];
  });
}
