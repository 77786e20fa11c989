import { decodePath } from '../base/index.ts';
import { OutputCapture } from '../process/index.ts';
import { splitRecords } from './configuration.ts';
import { parseRawRecords, type TreeChange } from './list-tree-changes.ts';
import type { Git } from './open-git.ts';
import { runGit } from './run-git.ts';
import { objectPlace, type Workspace } from './workspace.ts';

export interface FileDiff extends TreeChange {
  /** Git takes a file with a NUL in its first 8,000 bytes for binary; attributes of the work have no say. */
  readonly binary: boolean;
  /** Lines; 0 when binary. */
  readonly additions: number;
  readonly deletions: number;
  /** The same when a carriage return at the end of a line makes no difference. */
  readonly additionsWithoutLineEndings: number;
  readonly deletionsWithoutLineEndings: number;
}

export interface Patch {
  /**
   * Unified diff, as bytes: names and content are what they are. When `truncated` only its beginning and end, at least
   * 49 % of the limit each, with a line `[N bytes left out]` between them.
   */
  readonly diff: Buffer;
  readonly truncated: boolean;
  readonly totalBytes: number;
  /** Of the whole diff. */
  readonly sha256: string;
}

export interface TreeDiff extends Patch {
  /** What `git diff --stat` prints. */
  readonly stat: string;
  readonly files: readonly FileDiff[];
}

export interface DiffOptions {
  /** Default: the workspace's base. */
  readonly from?: string;
  /** Default 32 MiB. */
  readonly maxDiffBytes?: number;
}

/** All that a user's configuration could change is fixed, so the same two trees always give the same bytes. */
const FIXED = [
  'diff-tree',
  '-r',
  '--find-renames=50%',
  '-l1000',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--diff-algorithm=myers',
  '--indent-heuristic',
  '--submodule=short',
  '--ignore-submodules=none',
  '--full-index',
] as const;

/** Only for the text: to Git, asking for a number of context lines is asking for the text, beside whatever else. */
const PATCH = ['-p', '--unified=3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'] as const;

const DEFAULT_MAX_DIFF_BYTES = 32 * 1024 * 1024;
const MAX_STAT_BYTES = 4 * 1024 * 1024;

/** Only the text of how a tree differs from the base. */
export async function diffPatch(
  git: Git,
  workspace: Workspace,
  tree: string,
  options: DiffOptions = {},
): Promise<Patch> {
  const patch = await runGit(git, objectPlace(workspace), {
    args: [...FIXED, ...PATCH, options.from ?? workspace.base, tree],
    maxOutputBytes: options.maxDiffBytes ?? DEFAULT_MAX_DIFF_BYTES,
    mayTruncate: true,
  });
  return { diff: patch.stdout, truncated: patch.truncated, totalBytes: patch.totalBytes, sha256: patch.sha256 };
}

/** How a tree differs from the base: text, summary and one record a file. */
export async function diffTree(
  git: Git,
  workspace: Workspace,
  tree: string,
  options: DiffOptions = {},
): Promise<TreeDiff> {
  const place = objectPlace(workspace);
  const trees = [options.from ?? workspace.base, tree];
  const [patch, summary] = await Promise.all([
    diffPatch(git, workspace, tree, options),
    runGit(git, place, { args: [...FIXED, '-z', '--raw', '--numstat', '--stat=100', ...trees] }),
  ]);
  // The records end with NUL each; the stat stands behind the last and quotes every name.
  const end = summary.stdout.lastIndexOf(0) + 1;
  const records = splitRecords(summary.stdout.subarray(0, end));
  const hasCarriageReturns = patch.truncated || patch.diff.includes('\r');
  const endings = hasCarriageReturns
    ? await runGit(git, place, { args: [...FIXED, '-z', '--numstat', '--ignore-cr-at-eol', ...trees] })
    : undefined;
  return {
    ...patch,
    stat: decodePath(shorten(summary.stdout.subarray(end))),
    files: joinRecordsAndCounts(records, endings && splitRecords(endings.stdout)),
  };
}

function shorten(stat: Buffer): Buffer {
  const capture = new OutputCapture(MAX_STAT_BYTES);
  capture.add(stat);
  return capture.finish().bytes;
}

/** Without `endings` they make no difference anywhere. */
function joinRecordsAndCounts(records: readonly Buffer[], endings: readonly Buffer[] | undefined): FileDiff[] {
  const { changes, rest } = parseRawRecords(records);
  const counts = parseCounts(rest);
  const withoutEndings = endings === undefined ? counts : parseCounts(endings);
  return changes.map((change) => {
    const count = counts.get(change.path);
    // Git leaves a file out when only line endings differ.
    const without = withoutEndings.get(change.path);
    return {
      ...change,
      binary: count?.binary ?? false,
      additions: count?.additions ?? 0,
      deletions: count?.deletions ?? 0,
      additionsWithoutLineEndings: without?.additions ?? 0,
      deletionsWithoutLineEndings: without?.deletions ?? 0,
    };
  });
}

interface Count {
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
}

/** `added TAB deleted TAB path NUL`, or with an empty path and the old and the new one after it. */
function parseCounts(records: readonly Buffer[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? Buffer.alloc(0);
    const match = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString('latin1'));
    if (match === null) continue;
    const [head, additions, deletions] = match;
    let path = record.subarray(head.length);
    if (path.length === 0) {
      at += 2;
      path = records[at] ?? path;
    }
    counts.set(decodePath(path), {
      binary: additions === '-',
      additions: additions === '-' ? 0 : Number(additions),
      deletions: deletions === '-' ? 0 : Number(deletions),
    });
  }
  return counts;
}
