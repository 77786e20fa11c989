import { basename } from 'node:path';
import { RemitError } from '../base/index.ts';
import { discoverRepository, type Git, type Repository } from '../git/index.ts';

/** A repository that the caller may act on, with the caller's place inside it ('' at its root). */
export interface ChosenRepository {
  readonly repository: Repository;
  readonly name: string;
  readonly prefix: string;
}

/** Finds the one repository that a caller means; the model names it at most by a name that we listed, never by path. */
export async function chooseRepository(
  git: Git,
  directories: readonly string[],
  wanted: string | undefined,
): Promise<ChosenRepository> {
  const choices = await listRepositories(git, directories);
  const names = choices.map(({ name }) => name).join(', ');
  if (wanted !== undefined) {
    const chosen = choices.find(({ name }) => name === wanted);
    if (chosen) return chosen;
    throw new RemitError(
      'invalid_request',
      `There is no repository named ${JSON.stringify(wanted)} here; there are: ${names}.`,
      {
        details: { repositories: choices.map(({ name }) => name) },
      },
    );
  }
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0) return only;
  throw new RemitError(
    'invalid_request',
    `More than one repository is open: say which in the field "repository", one of: ${names}.`,
    {
      details: { repositories: choices.map(({ name }) => name) },
    },
  );
}

/** Every repository that the directories lie in, each once; the refusal of the first when there is none at all. */
export async function listRepositories(git: Git, directories: readonly string[]): Promise<ChosenRepository[]> {
  const found = await Promise.all(directories.map((directory) => discoverRepository(git, directory)));
  const byId = new Map<string, { repository: Repository; prefix: string }>();
  for (const discovery of found) {
    if (discovery.kind === 'repository' && !byId.has(discovery.repository.id))
      byId.set(discovery.repository.id, discovery);
  }
  if (byId.size === 0) {
    const refusal = found.find((discovery) => discovery.kind === 'refused');
    throw new RemitError(
      refusal?.code ?? 'not_git_repository',
      refusal?.reason ?? 'No directory was given that could hold a Git repository.',
    );
  }
  return [...byId.values()].map((choice) => ({ ...choice, name: nameOf(choice.repository, byId.values()) }));
}

/** The folder's name; where two are alike, with the beginning of the repository's id. */
function nameOf(repository: Repository, all: Iterable<{ repository: Repository }>): string {
  const name = basename(repository.root);
  const alike = [...all].filter((other) => basename(other.repository.root) === name);
  return alike.length > 1 ? `${name}-${repository.id.slice(0, 6)}` : name;
}
