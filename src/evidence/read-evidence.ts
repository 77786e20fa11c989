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
  | { readonly kind: 'lines_unseen'; readonly lines: readonly LineRange[] }
  /** A link, of which a read shows only the file that it leads to, or something that cannot be read. */
  | { readonly kind: 'unreadable' };

/** By path what was seen of it, each with its place in the ledger. Made once for many paths: outputs are long to read. */
export type Sights = ReadonlyMap<string, readonly (Sight & { readonly at: number })[]>;

/** All that a ledger shows; `worktree` is the absolute path of the worktree. */
export function sightsOf(ledger: readonly Observation[], worktree?: string): Sights {
  const sights = new Map<string, (Sight & { at: number })[]>();
  for (const [at, observation] of ledger.entries()) {
    for (const sight of sightsIn(observation, worktree)) {
      const known = sights.get(sight.path) ?? [];
      known.push({ ...sight, at });
      sights.set(sight.path, known);
    }
  }
  return sights;
}

/** Outputs are long to read, and never another one. */
const SEEN = new WeakMap<Observation, { readonly worktree: string | undefined; readonly sights: readonly Sight[] }>();

function sightsIn(observation: Observation, worktree: string | undefined): readonly Sight[] {
  const known = SEEN.get(observation);
  if (known !== undefined && known.worktree === worktree) return known.sights;
  const sights = sightsOfOne(observation, worktree);
  SEEN.set(observation, { worktree, sights });
  return sights;
}

function sightsOfOne(observation: Observation, worktree: string | undefined): readonly Sight[] {
  if (observation.kind === 'command') return commandSight(observation, worktree);
  return observation.kind === 'read' ? [{ path: observation.path, kind: 'lines', ranges: observation.ranges }] : [];
}

/** What was seen of a change since it was made. */
export function readEvidence(change: Change, sights: Sights): ReadEvidence {
  // From the change itself: a read that found an unwatched change is the first sight of it.
  const since = (sights.get(change.path) ?? []).filter(({ at }) => at >= change.at);
  if (change.change === 'deleted')
    return { kind: since.some(({ kind }) => kind === 'committed') ? 'seen' : 'deletion_unseen' };
  if (since.some(({ kind }) => kind === 'difference')) return { kind: 'seen' };
  if (change.entry === 'link' || change.sha256 === undefined) return { kind: 'unreadable' };
  const wanted = change.needsAll ? allLines(change.totalLines) : change.changed;
  const shown = since.flatMap((sight) => linesShown(sight, change.totalLines));
  const lines = uncoveredLines(wanted, shown);
  const isSeen = lines.length === 0 && since.some(({ kind }) => kind !== 'committed');
  return isSeen ? { kind: 'seen' } : { kind: 'lines_unseen', lines };
}
