import type { Git } from './open-git.ts';
import { commonPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Whether `commit` is `tip` itself or among its ancestors. False, too, when the repository does not have one of them. */
export async function isAncestor(git: Git, repository: Repository, commit: string, tip: string): Promise<boolean> {
  const answer = await runGit(git, commonPlace(repository), {
    args: ['merge-base', '--is-ancestor', commit, tip],
    normalExits: [0, 1, 128],
  });
  return answer.exitCode === 0;
}
