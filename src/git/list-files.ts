import { splitRecords } from './configuration.ts';
import type { Git } from './open-git.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** The paths of an index, as bytes in Latin-1: the fastest form in which they can be compared. */
export interface TrackedPaths {
  readonly files: ReadonlySet<string>;
  /** Every directory that has a tracked file below it; not the root. */
  readonly directories: ReadonlySet<string>;
  /** Paths of submodules; they are in `files` too. */
  readonly submodules: ReadonlySet<string>;
}

const SUBMODULE_MODE = '160000 ';

export async function listTracked(git: Git, place: GitPlace): Promise<TrackedPaths> {
  const { stdout } = await runGit(git, place, { args: ['ls-files', '--stage', '-z'] });
  const files = new Set<string>();
  const submodules = new Set<string>();
  for (const record of stdout.toString('latin1').split('\0')) {
    if (record === '') continue;
    const path = record.slice(record.indexOf('\t') + 1);
    files.add(path);
    if (record.startsWith(SUBMODULE_MODE)) submodules.add(path);
  }
  return { files, directories: parentsOf(files), submodules };
}

function parentsOf(paths: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  let last = '';
  for (const path of paths) {
    let directory = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    // Neighbours in a listing share their folder.
    if (directory === last) continue;
    last = directory;
    while (directory !== '' && !parents.has(directory)) {
      parents.add(directory);
      directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')));
    }
  }
  return parents;
}

/** One tracked path whose file differs from the index, from `status --porcelain=v2`. */
export interface TrackedDifference {
  readonly path: Buffer;
  /** Mode of the index entry, for example `100644`. */
  readonly indexMode: string;
  readonly isDeleted: boolean;
}

/**
 * Tracked paths whose file is not what the index says, by Git's own conversions. Takes no lock, writes nothing. Submodules
 * are left out: Git would run itself inside them, with a configuration that may be the worker's.
 */
export async function listDifferences(git: Git, place: GitPlace): Promise<TrackedDifference[]> {
  const { stdout } = await runGit(git, place, {
    args: ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'],
  });
  return splitRecords(stdout).flatMap((record) => {
    // `1 XY sub mH mI mW hH hI path`: Y is the file against the index.
    const match = /^1 .([^.]) \S+ \d+ (\d+) \d+ \S+ \S+ /.exec(record.toString('latin1'));
    if (match === null) return [];
    const [head, state, indexMode = ''] = match;
    return [{ path: record.subarray(head.length), indexMode, isDeleted: state === 'D' }];
  });
}
