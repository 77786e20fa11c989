import { lstat } from 'node:fs/promises';
import { decodePath, RemitError, visibleLine } from '../base/index.ts';
import { findBlockingRules } from './blocking-rules.ts';
import { readConfiguration, splitRecords, withoutFilters } from './configuration.ts';
import { listTracked } from './list-files.ts';
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

/** Reads without a lock, without refreshing the user's index, and runs nothing that the repository names. */
export async function readSourceState(git: Git, repository: Repository, base: string): Promise<SourceState> {
  try {
    await lstat(repository.root);
    // `status` would wait for a pipe, and read a device without end.
    await requireSaneRepository(repository.gitDir, repository.commonDir);
    const configuration = await readConfiguration(git, checkoutPlace(repository));
    await readCarriedSettings(git, repository, configuration);
    const settings = withoutFilters(configuration);
    const place = checkoutPlace(repository, settings);
    const [pipe] = await findBlockingRules(repository.root, await listTracked(git, place), RULE_FILES);
    if (pipe !== undefined) throw blocked(pipe);
    const [dirtyPaths, committed] = await Promise.all([listDirty(git, place), compareHead(git, place, base)]);
    return { unavailable: false, dirtyPaths, ...committed };
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

async function listDirty(git: Git, place: GitPlace): Promise<string[]> {
  const { stdout } = await runGit(git, place, {
    // Submodules only by their commit: to look further Git would run itself inside them, with their configuration.
    args: ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'],
  });
  return splitRecords(stdout).map((record) => decodePath(record.subarray(3)));
}

async function compareHead(
  git: Git,
  place: GitPlace,
  base: string,
): Promise<{ head: string; committedPaths: string[]; commitsSinceBase: number }> {
  const answer = await runGit(git, place, { args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] });
  const head = answer.stdout.toString().trim();
  if (head === base) return { head, committedPaths: [], commitsSinceBase: 0 };
  const [paths, count] = await Promise.all([
    runGit(git, place, { args: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', base, head] }),
    runGit(git, place, { args: ['rev-list', '--count', head, `^${base}`] }),
  ]);
  return {
    head,
    committedPaths: splitRecords(paths.stdout).map((record) => decodePath(record)),
    commitsSinceBase: Number(count.stdout.toString().trim()),
  };
}
