import { copyFile } from 'node:fs/promises';
import { decodePath, encodePath } from '../base/index.ts';
import { joinRecords, splitRecords } from './configuration.ts';
import { listTreeChanges, type TreeChange } from './list-tree-changes.ts';
import type { Git } from './open-git.ts';
import { removeEntry } from './remove-directory.ts';
import { firstLines, GitFailure, type GitPlace, runGit } from './run-git.ts';
import { entryOfMode, type WorkChange, type WorkEntry } from './scan-workspace.ts';
import { type Refusal, type Staging, stage, untakeable } from './staging.ts';
import { hostPlace, type Workspace } from './workspace.ts';

export interface WriteTreeOptions {
  /** Default 10 MiB. */
  readonly maxFileBytes?: number;
}

/** One path in which the written tree differs from the base. */
export interface TakenChange {
  readonly path: string;
  readonly change: WorkChange['change'];
  /** For a deleted path, what the base has. */
  readonly entry: WorkEntry;
  /** Blob in the written tree; for a deleted path the base's. */
  readonly object: string;
  /** Of the file's own bytes, before Git converted anything, of a link of its target; absent for a deleted path. */
  readonly sha256?: string;
}

export interface WrittenTree {
  readonly tree: string;
  /** Exactly how `tree` differs from the base. A given change that makes no difference is in neither list. */
  readonly taken: readonly TakenChange[];
  readonly refused: readonly Refusal[];
}

/** How many halves of a failing list are looked into. */
const MAX_SEARCHES = 200;
const DEFAULT_MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * The base tree with exactly the given changes, as the files are now. Git makes the blobs from a copy that only the host
 * can write, with the line-ending, `ident` and encoding conversions that the new tree's own attributes ask for. New
 * objects go to the host's store. The cost grows with the changes, not with the tree.
 */
export async function writeTree(
  git: Git,
  workspace: Workspace,
  changes: readonly WorkChange[],
  options: WriteTreeOptions = {},
): Promise<WrittenTree> {
  const takeable = changes.filter((change) => untakeable(change) === undefined);
  const refused: Refusal[] = changes.flatMap((change) => {
    const reason = untakeable(change);
    return reason === undefined ? [] : [{ path: change.path, reason }];
  });
  const present = takeable.filter(({ change }) => change !== 'deleted');
  const staging = await stage(
    workspace.worktree,
    workspace.hostDirectory,
    present,
    options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
  );
  try {
    const deleted = takeable.filter(({ change }) => change === 'deleted').map(({ path }) => path);
    const written = await settle(new Attempt(git, workspace, staging), { deleted, copied: [...staging.copied.keys()] });
    return { ...written, refused: [...refused, ...staging.refused, ...written.refused] };
  } finally {
    await removeEntry(staging.directory);
    await removeEntry(`${staging.directory}.index`);
    await removeEntry(`${staging.directory}.index.lock`);
  }
}

interface Parts {
  readonly deleted: readonly string[];
  readonly copied: readonly string[];
}

/** Leaves out what cannot be taken and tries again, until the tree holds nothing but what was asked for. */
async function settle(attempt: Attempt, parts: Parts): Promise<WrittenTree> {
  const refused = new Map<string, Refusal>();
  // Each round refuses at least one path, so this ends.
  for (;;) {
    const left = { deleted: without(parts.deleted, refused), copied: without(parts.copied, refused) };
    const result = await attempt.run(left);
    for (const refusal of result.refused) refused.set(refusal.path, refusal);
    if (result.refused.length === 0) return { tree: result.tree, taken: result.taken, refused: [...refused.values()] };
  }
}

function without(paths: readonly string[], refused: ReadonlyMap<string, Refusal>): string[] {
  return paths.filter((path) => !refused.has(path));
}

class Attempt {
  readonly #git: Git;
  readonly #workspace: Workspace;
  readonly #index: string;
  readonly #place: GitPlace;
  readonly #digests: Staging['copied'];

  constructor(git: Git, workspace: Workspace, staging: Staging) {
    this.#git = git;
    this.#workspace = workspace;
    this.#digests = staging.copied;
    this.#index = `${staging.directory}.index`;
    this.#place = hostPlace(workspace, staging.directory, this.#index);
  }

  async run(parts: Parts): Promise<WrittenTree> {
    await copyFile(this.#workspace.indexFile, this.#index);
    const unconvertible = await this.#update(parts);
    if (unconvertible.length > 0) return { tree: '', taken: [], refused: unconvertible };
    const [filtered, { stdout }] = await Promise.all([
      this.#findFiltered(parts.copied),
      runGit(this.#git, this.#place, { args: ['write-tree'] }),
    ]);
    if (filtered.length > 0) return { tree: '', taken: [], refused: filtered };
    const tree = stdout.toString().trim();
    const changes = await listTreeChanges(this.#git, this.#workspace, this.#workspace.base, tree);
    return {
      tree,
      taken: changes.map((change) => this.#describe(change)),
      refused: await this.#findMismatches(parts, changes),
    };
  }

  /** Deletions come first, so that a folder can take the place of a file, and a deleted attribute file no longer counts. */
  async #update({ deleted, copied }: Parts): Promise<Refusal[]> {
    if (deleted.length > 0) {
      const input = joinRecords(deleted.map(encodePath));
      await runGit(this.#git, this.#place, { args: ['update-index', '-z', '--force-remove', '--stdin'], input });
    }
    if (copied.length === 0) return [];
    const failure = await this.#tryAdd(copied);
    return failure === undefined ? [] : this.#findUnconvertible(copied, failure, { left: MAX_SEARCHES });
  }

  async #tryAdd(paths: readonly string[]): Promise<GitFailure | undefined> {
    try {
      const input = joinRecords(paths.map(encodePath));
      await runGit(this.#git, this.#place, { args: ['update-index', '--add', '--replace', '-z', '--stdin'], input });
      return undefined;
    } catch (error) {
      if (error instanceof GitFailure && error.outcome.kind === 'exited') return error;
      throw error;
    }
  }

  /** One bad file fails the whole call: halve until it is found. With too many of them, the rest of a failing half goes too. */
  async #findUnconvertible(
    paths: readonly string[],
    failure: GitFailure,
    searches: { left: number },
  ): Promise<Refusal[]> {
    searches.left -= 1;
    if (paths.length === 1 || searches.left < 0) {
      const detail = firstLines(failure.stderr);
      return paths.map((path) => ({ path, reason: 'not_convertible', detail }));
    }
    const middle = Math.ceil(paths.length / 2);
    const found: Refusal[] = [];
    for (const half of [paths.slice(0, middle), paths.slice(middle)]) {
      const halfFailure = await this.#tryAdd(half);
      if (halfFailure !== undefined) found.push(...(await this.#findUnconvertible(half, halfFailure, searches)));
    }
    if (found.length === 0) throw failure;
    return found;
  }

  async #findFiltered(paths: readonly string[]): Promise<Refusal[]> {
    if (paths.length === 0) return [];
    const { stdout } = await runGit(this.#git, this.#place, {
      args: ['check-attr', '-z', '--stdin', 'filter'],
      input: joinRecords(paths.map(encodePath)),
    });
    return parseFilters(stdout).map(({ path, filter }) => ({ path, reason: 'filtered', detail: filter }));
  }

  #describe({ path, status, oldMode, newMode, oldObject, newObject }: TreeChange): TakenChange {
    if (status === 'deleted') return { path, change: 'deleted', entry: entryOfMode(oldMode), object: oldObject };
    const change = status === 'added' ? 'added' : 'modified';
    const digest = this.#digests.get(path);
    return {
      ...{ path, change, entry: entryOfMode(newMode), object: newObject },
      ...(digest !== undefined && { sha256: digest }),
    };
  }

  async #findMismatches(parts: Parts, changes: readonly TreeChange[]): Promise<Refusal[]> {
    const given = new Set([...parts.deleted, ...parts.copied]);
    const unasked = changes.filter(({ path }) => !given.has(path)).map(({ path }) => path);
    if (unasked.length > 0) return findCulprits(parts.copied, unasked);
    return this.#findIgnored(parts.copied, changes);
  }

  /** A path that is in neither the base nor the result is one that Git did not accept. */
  async #findIgnored(copied: readonly string[], changes: readonly TreeChange[]): Promise<Refusal[]> {
    const changed = new Set(changes.map(({ path }) => path));
    const unchanged = copied.filter((path) => !changed.has(path));
    if (unchanged.length === 0) return [];
    const { stdout } = await runGit(this.#git, this.#place, { args: ['ls-files', '-z'] });
    const stored = new Set(splitRecords(stdout).map((record) => decodePath(record)));
    return unchanged.filter((path) => !stored.has(path)).map((path) => ({ path, reason: 'invalid_name' }));
  }
}

/** Git made room by removing something that nobody asked to remove: whoever needed the room is refused. */
function findCulprits(copied: readonly string[], unasked: readonly string[]): Refusal[] {
  const removed = new Set(unasked);
  const removedParents = new Set(unasked.flatMap(parents));
  return copied
    .filter((path) => removedParents.has(path) || parents(path).some((parent) => removed.has(parent)))
    .map((path) => ({ path, reason: 'conflicts_with_base' }));
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Output of `check-attr -z filter`. `unset` and `unspecified` are no filter; a bare `filter` names none but is no promise either. */
export function parseFilters(stdout: Buffer): { path: string; filter: string }[] {
  const records = splitRecords(stdout).map((record) => decodePath(record));
  const filtered: { path: string; filter: string }[] = [];
  for (let at = 0; at + 2 < records.length; at += 3) {
    const [path = '', , filter = ''] = records.slice(at, at + 3);
    if (filter !== 'unset' && filter !== 'unspecified' && filter !== '') filtered.push({ path, filter });
  }
  return filtered;
}
