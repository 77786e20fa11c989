import { type Configuration, readConfiguration } from './configuration.ts';
import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { type RuleFiles, readRuleFiles } from './rule-files.ts';

/** What several steps of one operation ask of a repository, read once for all of them. */
export interface RepositoryFacts {
  readonly configuration: Configuration;
  /** Of one commit. */
  readonly rules: RuleFiles;
}

export async function readFacts(git: Git, repository: Repository, commit: string): Promise<RepositoryFacts> {
  const [configuration, rules] = await Promise.all([
    readSettings(git, repository),
    readRuleFiles(git, repository, commit),
  ]);
  return { configuration, rules };
}

/** The repository's effective configuration as the user's Git sees it. */
export function readSettings(git: Git, repository: Repository): Promise<Configuration> {
  return readConfiguration(git, checkoutPlace(repository));
}
