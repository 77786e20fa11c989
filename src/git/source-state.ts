import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePath, RemitError, visibleLine } from '../base/index.ts';
import { findBlockingRules } from './blocking-rules.ts';
import { type Configuration, readConfiguration, splitRecords, withoutFilters } from './configuration.ts';
import { listFolders } from './index-folders.ts';
import type { Git } from './open-git.ts';
import { readCarriedSettings } from './private-directory.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { requireSaneRepository } from './repository-files.ts';
import { GitFailure, type GitPlace, runGit } from './run-git.ts';

/** The caller's checkout as it is now, against a task's base. */
export type SourceState =
  | {
      readonly unavailable: false;
      readonly head: string;
      /** Staged, changed, deleted, or new and not ignored. */
      readonly dirtyPaths: readonly string[];
      /** Paths that differ between the base and the commit that is checked out now, in whichever direction it moved. */
      readonly committedPaths: readonly string[];
      /** Commits of HEAD that the base does not have. */
      readonly commitsSinceBase: number;
    }
  /** The checkout is gone or cannot be read. */
  | {
      readonly unavailable: true;
      readonly reason: string;
      readonly head: '';
      readonly dirtyPaths: readonly [];
      readonly committedPaths: readonly [];
      readonly commitsSinceBase: 0;
    };

/**
 * Reads without a lock, without refreshing the user's index, and runs nothing that the repository names. `known`: the
 * repository's configuration, where the caller has just read it.
 */
export async function readSourceState(
  git: Git,
  repository: Repository,
  base: string,
  known?: Configuration,
): Promise<SourceState> {
  try {
    await lstat(repository.root);
    // `status` would wait for a pipe, and read a device without end.
    await requireSaneRepository(repository.gitDir, repository.commonDir);
    const configuration = known ?? (await readConfiguration(git, checkoutPlace(repository)));
    await readCarriedSettings(git, repository, configuration);
    const settings = withoutFilters(configuration);
    const place = checkoutPlace(repository, settings);
    const [pipe] = await findBlockingRules(
      repository.root,
      await listFolders(git, place, join(repository.gitDir, 'index')),
      RULE_FILES,
    );
    if (pipe !== undefined) throw blocked(pipe);
    const { head, dirtyPaths } = await readStatus(git, place);
    return { unavailable: false, head, dirtyPaths, ...(await compareHead(git, place, base, head)) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return {
      unavailable: true,
      reason: (error as Error).message,
      head: '',
      dirtyPaths: [],
      committedPaths: [],
      commitsSinceBase: 0,
    };
  }
}

const RULE_FILES = ['.gitattributes', '.gitignore'] as const;

function blocked(latin1: string): RemitError {
  const path = visibleLine(decodePath(Buffer.from(latin1, 'latin1')));
  return new RemitError('unsupported_platform', `${path} is not a regular file, so Git would hang on it; remove it`);
}

function isUnreadable(error: unknown): boolean {
  if (error instanceof RemitError) return error.code === 'unsupported_platform';
  return error instanceof GitFailure || (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** One look for both, so that they belong together. */
async function readStatus(git: Git, place: GitPlace): Promise<{ head: string; dirtyPaths: string[] }> {
  const { stdout } = await runGit(git, place, {
    args: [
      'status',
      '--porcelain=v2',
      '-z',
      '--branch',
      '--no-ahead-behind',
      '--untracked-files=all',
      '--no-renames',
      // Submodules only by their commit: to look further Git would run itself inside them, with their configuration.
      '--ignore-submodules=dirty',
    ],
  });
  let head = '';
  const dirtyPaths: string[] = [];
  for (const record of splitRecords(stdout)) {
    const text = record.toString('latin1');
    const [entry] = ENTRY.exec(text) ?? [];
    if (entry !== undefined) dirtyPaths.push(decodePath(record.subarray(entry.length)));
    else head = /^# branch\.oid ([0-9a-f]{40,64})$/.exec(text)?.[1] ?? head;
  }
  if (head === '') throw new RemitError('unsupported_platform', 'the checkout is at no commit');
  return { head, dirtyPaths };
}

/** What stands before the path in git-status(1), porcelain format 2: changed, unmerged and untracked entries. */
const ENTRY = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )/;

async function compareHead(
  git: Git,
  place: GitPlace,
  base: string,
  head: string,
): Promise<{ committedPaths: string[]; commitsSinceBase: number }> {
  if (head === base) return { committedPaths: [], commitsSinceBase: 0 };
  const [paths, count] = await Promise.all([
    runGit(git, place, { args: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', base, head] }),
    runGit(git, place, { args: ['rev-list', '--count', head, `^${base}`] }),
  ]);
  return {
    committedPaths: splitRecords(paths.stdout).map((record) => decodePath(record)),
    commitsSinceBase: Number(count.stdout.toString().trim()),
  };
}
