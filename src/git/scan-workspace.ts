import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { decodePath } from '../base/index.ts';
import { findBlockingRules } from './blocking-rules.ts';
import { Breath } from './breath.ts';
import { splitRecords } from './configuration.ts';
import { listDifferences, listTracked, type TrackedDifference } from './list-files.ts';
import type { Git } from './open-git.ts';
import { joinBytes } from './remove-directory.ts';
import { runGit } from './run-git.ts';
import { type Finding, walkWorktree } from './walk-worktree.ts';
import { type Workspace, worktreePlace } from './workspace.ts';

export type WorkEntry =
  | 'file'
  | 'executable'
  | 'symlink'
  | 'submodule'
  | 'nested_repository'
  /** A pipe, socket or device. */
  | 'special'
  /** What the host may not look into, or cannot because its path is too long for the system. */
  | 'unreadable'
  /** An ignored directory, not looked into further. */
  | 'directory';

/** One difference between a worktree and the base. */
export interface WorkChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  /** What is there now; for a deleted path, what the base has. */
  readonly entry: WorkEntry;
  /** Of the file on disk; 0 for what is deleted and for what is no file. */
  readonly sizeBytes: number;
  /** By the base's ignore rules and the user's own; ignore files of the work never count. */
  readonly ignored: boolean;
  readonly linkTarget?: string;
}

export interface ScanOptions {
  /**
   * Ignored directories are reported as one entry, unless this says that their files matter, for example because the
   * scope reaches into them. It is asked for each directory on the way.
   */
  readonly expandIgnored?: (directory: string) => boolean;
}

/**
 * Everything in which the worktree differs from the base, sorted by path. Looks at files only: the index, pointer file
 * and ignore files of the worktree are not read. Where a pipe takes the place of an attribute file, only that is reported.
 */
export async function scanWorkspace(git: Git, workspace: Workspace, options: ScanOptions = {}): Promise<WorkChange[]> {
  const place = worktreePlace(workspace, workspace.indexFile);
  const tracked = await listTracked(git, place);
  const blocking = await findBlockingRules(workspace.worktree, tracked.directories, ['.gitattributes']);
  if (blocking.length > 0) return blocking.map(describeBlocking);
  const [differences, others] = await Promise.all([
    listDifferences(git, place),
    runGit(git, place, { args: ['ls-files', '--others', '-z', `--exclude-from=${workspace.ignoreFile}`] }),
  ]);
  const untracked = splitRecords(others.stdout).map((record) => record.toString('latin1'));
  const findings = await walkWorktree({
    root: workspace.worktree,
    tracked,
    untracked: new Set(untracked),
    expand: (directory) => options.expandIgnored?.(decodePath(Buffer.from(directory, 'latin1'))) ?? false,
  });
  const look = new Look(workspace.worktree);
  const changes = [
    ...(await look.atAll(differences, (difference) => look.atTracked(difference))),
    ...(await look.atAll(untracked, (path) => look.atAdded(path, false))),
    ...(await look.atAll(findings, (finding) => look.atFinding(finding))),
    ...(await look.atAll([...tracked.submodules], (path) => look.atSubmodule(path))),
  ];
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** While a pipe stands where Git looks for attributes nothing can be compared, so it is all that a scan finds. */
function describeBlocking(path: string): WorkChange {
  const name = decodePath(Buffer.from(path, 'latin1'));
  return { path: name, change: 'added', entry: 'special', sizeBytes: 0, ignored: false };
}

/** Describes paths by what stands there now, without following a link at the end. */
class Look {
  readonly #root: Buffer;
  readonly #breath = new Breath();

  constructor(root: string) {
    this.#root = Buffer.from(root);
  }

  async atAll<T>(items: readonly T[], look: (item: T) => WorkChange | undefined): Promise<WorkChange[]> {
    const changes: WorkChange[] = [];
    for (const item of items) {
      await this.#breath.take();
      const change = look(item);
      if (change !== undefined) changes.push(change);
    }
    return changes;
  }

  atTracked({ path, indexMode, isDeleted }: TrackedDifference): WorkChange {
    const stats = isDeleted ? undefined : this.#stat(path);
    const name = decodePath(path);
    if (stats === 'unreadable') {
      return { path: name, change: 'modified', entry: 'unreadable', sizeBytes: 0, ignored: false };
    }
    if (stats === undefined || stats.isDirectory()) {
      return { path: name, change: 'deleted', entry: entryOfMode(indexMode), sizeBytes: 0, ignored: false };
    }
    return { path: name, change: 'modified', ignored: false, ...this.#describe(path, stats) };
  }

  atAdded(latin1: string, ignored: boolean): WorkChange | undefined {
    const path = Buffer.from(latin1, 'latin1');
    const stats = this.#stat(path);
    if (stats === 'unreadable') {
      return { path: decodePath(path), change: 'added', entry: 'unreadable', sizeBytes: 0, ignored };
    }
    // A directory is a nested repository, which the walk reports.
    if (stats === undefined || stats.isDirectory()) return undefined;
    return { path: decodePath(path), change: 'added', ignored, ...this.#describe(path, stats) };
  }

  atFinding({ path, kind }: Finding): WorkChange | undefined {
    if (kind === 'ignored_file') return this.atAdded(path, true);
    const name = decodePath(Buffer.from(path, 'latin1'));
    if (kind === 'submodule' || kind === 'unreadable') {
      return { path: name, change: 'modified', entry: kind, sizeBytes: 0, ignored: false };
    }
    const isIgnored = kind === 'ignored_directory';
    return { path: name, change: 'added', entry: isIgnored ? 'directory' : kind, sizeBytes: 0, ignored: isIgnored };
  }

  /** A submodule's folder is empty in a fresh worktree. Whether something is in it is the walk's to say. */
  atSubmodule(latin1: string): WorkChange | undefined {
    const path = Buffer.from(latin1, 'latin1');
    const stats = this.#stat(path);
    if (stats !== 'unreadable' && stats?.isDirectory()) return undefined;
    const change = stats === undefined ? 'deleted' : 'modified';
    return { path: decodePath(path), change, entry: 'submodule', sizeBytes: 0, ignored: false };
  }

  /** `undefined` for what is gone. What is there but cannot be looked at must not pass for gone. */
  #stat(path: Buffer): Stats | 'unreadable' | undefined {
    try {
      return lstatSync(joinBytes(this.#root, path));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code) ? 'unreadable' : undefined;
    }
  }

  #describe(path: Buffer, stats: Stats): Pick<WorkChange, 'entry' | 'sizeBytes' | 'linkTarget'> {
    if (stats.isSymbolicLink()) {
      return { entry: 'symlink', sizeBytes: stats.size, linkTarget: this.#linkTarget(path) };
    }
    if (!stats.isFile()) return { entry: 'special', sizeBytes: 0 };
    return { entry: (stats.mode & 0o100) !== 0 ? 'executable' : 'file', sizeBytes: stats.size };
  }

  #linkTarget(path: Buffer): string {
    try {
      return decodePath(readlinkSync(joinBytes(this.#root, path), { encoding: 'buffer' }));
    } catch {
      return '';
    }
  }
}

export function entryOfMode(mode: string): WorkEntry {
  switch (mode) {
    case '100755':
      return 'executable';
    case '120000':
      return 'symlink';
    case '160000':
      return 'submodule';
    default:
      return 'file';
  }
}
