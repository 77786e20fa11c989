import { allLines, countLines, type LineRange, mergeRanges, uncoveredLines } from './line-ranges.ts';
import type { Observation, WriteObservation } from './observation.ts';
import { type SecurityTopic, securityTopics } from './security-paths.ts';

/** One path that the work changed, as its latest change left it. */
export interface Change {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Where in the ledger the latest change to it stands, from 0. */
  readonly at: number;
  /** Lines of the present content that some change of the work put there: all of them are to be reviewed, not only the latest. */
  readonly changed: readonly LineRange[];
  /** Some change named no line (only the mode, or lines taken out at an unknown place): nothing less than all shows it. */
  readonly needsAll: boolean;
  readonly totalLines: number;
  /** Of what is there; `undefined` for a deletion and for what nobody can read. */
  readonly sha256?: string | undefined;
  readonly entry?: WriteObservation['entry'];
  /** Whether the first change created it and the base is not known to have it: then nothing of it is committed. */
  readonly isNew: boolean;
  readonly security: readonly SecurityTopic[];
}

export interface Changes {
  /** In order of their first change, without what was created and deleted again. */
  readonly paths: readonly Change[];
  /** Where the last change of all stands; -1 when there was none. */
  readonly last: number;
}

/** What the writes of a ledger changed. */
export function changesOf(ledger: readonly Observation[]): Changes {
  const paths = new Map<string, Change>();
  let last = -1;
  for (const [at, observation] of ledger.entries()) {
    const write = observation.kind === 'write' ? observation : unseenWrite(paths, observation);
    if (write === undefined) continue;
    paths.set(write.path, nextChange(paths.get(write.path), write, at));
    last = at;
  }
  return { paths: [...paths.values()].filter(({ isNew, change }) => !(isNew && change === 'deleted')), last };
}

/** A read that finds other bytes than the last receipt left: something changed a path of the work that nobody watched. */
function unseenWrite(paths: ReadonlyMap<string, Change>, observation: Observation): WriteObservation | undefined {
  if (observation.kind !== 'read') return undefined;
  const { path, sha256, total_lines } = observation;
  const known = paths.get(path);
  if (known === undefined) return undefined;
  const isKnown = known.change !== 'deleted' && (known.sha256 === undefined || known.sha256 === sha256);
  return isKnown
    ? undefined
    : { kind: 'write', path, change: 'modified', changed: allLines(total_lines), total_lines, sha256 };
}

function nextChange(before: Change | undefined, write: WriteObservation, at: number): Change {
  const { path, change, total_lines: totalLines, sha256, entry } = write;
  const isDeleted = change === 'deleted';
  const isWhole = change === 'created' || before?.change === 'deleted';
  const carried = before === undefined ? [] : carriedLines(before, write);
  return {
    path,
    change,
    at,
    changed: isDeleted ? [] : isWhole ? allLines(totalLines) : mergeRanges([...carried, ...write.changed]),
    needsAll: !isDeleted && !isWhole && (write.changed.length === 0 || before?.needsAll === true),
    totalLines,
    sha256,
    entry,
    isNew: (before?.isNew ?? change === 'created') && write.in_base !== true,
    security: [...new Set([...(before?.security ?? []), ...(write.security ?? []), ...securityTopics({ path })])],
  };
}

/**
 * Where lines that earlier changes made stand now. Before the first change of a write nothing moved, behind its last all
 * did by the same; between two changes a receipt does not tell which of them took how many lines out, so there a line
 * may have moved up by any number of them: rather some lines too many than one too few.
 */
function carriedLines(before: Change, write: WriteObservation): LineRange[] {
  const unchanged = uncoveredLines(allLines(write.total_lines), write.changed);
  const gone = Math.max(0, before.totalLines - countLines(unchanged));
  const lines: LineRange[] = [];
  let passed = 0;
  for (const { from, to } of unchanged) {
    const length = to - from + 1;
    const [least, most] = [to === write.total_lines ? gone : 0, from === 1 ? 0 : gone];
    for (const range of before.changed) {
      const first = Math.max(range.from - most, passed + 1);
      const last = Math.min(range.to - least, passed + length);
      if (first <= last) lines.push({ from: from + first - passed - 1, to: from + last - passed - 1 });
    }
    passed += length;
  }
  return lines;
}
