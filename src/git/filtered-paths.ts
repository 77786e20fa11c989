import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './open-git.ts';
import { readCarriedSettings } from './private-directory.ts';
import { removeEntry } from './remove-directory.ts';
import { commonPlace, type Repository } from './repository.ts';
import { type RepositoryFacts, readFacts } from './repository-facts.ts';
import { runGit } from './run-git.ts';
import { parseFilters } from './write-tree.ts';

export interface FilteredPath {
  readonly path: string;
  /** Name of the driver, for example `lfs`. */
  readonly filter: string;
}

/**
 * Paths of a commit that a `filter` attribute governs: a worktree has their blobs' own bytes, and a change to them cannot be
 * taken. The attributes of the commit, of the repository and of the user count. `known`: facts of that very commit.
 */
export async function listFilteredPaths(
  git: Git,
  repository: Repository,
  commit: string,
  known?: RepositoryFacts,
): Promise<FilteredPath[]> {
  const facts = known ?? (await readFacts(git, repository, commit));
  if (!(await mayHaveFilters(git, repository, facts))) return [];
  const directory = await mkdtemp(join(tmpdir(), 'remit-attributes-'));
  try {
    const place = commonPlace(repository);
    const withIndex = { ...place, variables: { ...place.variables, GIT_INDEX_FILE: join(directory, 'index') } };
    await runGit(git, withIndex, { args: ['read-tree', commit] });
    const { stdout: paths } = await runGit(git, withIndex, { args: ['ls-files', '-z'] });
    const { stdout } = await runGit(git, withIndex, {
      args: ['check-attr', '--cached', '-z', '--stdin', 'filter'],
      input: paths,
    });
    return parseFilters(stdout);
  } finally {
    await removeEntry(directory);
  }
}

/** Few repositories have any filter: a search in their attribute files costs far less than asking for every path. */
async function mayHaveFilters(
  git: Git,
  repository: Repository,
  { configuration, rules }: RepositoryFacts,
): Promise<boolean> {
  const { globalAttributes, infoAttributes } = await readCarriedSettings(git, repository, configuration);
  const texts = [globalAttributes, infoAttributes, ...rules.attributes.map(({ bytes }) => bytes)];
  return texts.some((bytes) => bytes?.includes('filter') === true);
}
