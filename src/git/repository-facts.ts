import { type Configuration, readConfiguration } from './configuration.ts';
import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { type RuleFiles, readRuleFiles } from './rule-files.ts';

/** What several steps of one operation ask of a repository, read once for all of them. */
export interface RepositoryFacts {
  /** The effective one, as the user's Git sees it. */
  readonly configuration: Configuration;
  /** Of one commit. */
  readonly rules: RuleFiles;
}

export async function readFacts(git: Git, repository: Repository, commit: string): Promise<RepositoryFacts> {
  const [configuration, rules] = await Promise.all([
    readConfiguration(git, checkoutPlace(repository)),
    readRuleFiles(git, repository, commit),
  ]);
  return { configuration, rules };
}
