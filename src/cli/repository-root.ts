import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import { discoverRepository, openGit } from '../git/index.ts';

export interface RootFinding {
  /** The root of the repository, or the folder itself where there is none that can serve. */
  readonly directory: string;
  /** What a person who stands in that folder should know. */
  readonly remark?: string;
}

/** Finds the folder that a contract's paths should be relative to. Never throws for a folder that is no repository. */
export async function findRoot(directory: string): Promise<RootFinding> {
  try {
    const found = await discoverRepository(await openGit(), directory);
    if (found.kind === 'refused')
      return { directory, remark: `no task can be delegated from here yet: ${found.reason}` };
    if (found.prefix === '') return { directory };
    // Up by names, since a root that is no UTF-8 text cannot be written as a string.
    const root = join(directory, ...found.prefix.split('/').map(() => '..'));
    return {
      directory: root,
      remark: 'the paths are relative to the root of the repository: give path_base "repository" beside the contract',
    };
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    return { directory, remark: error.message };
  }
}
