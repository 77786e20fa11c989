import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Names of branches, tags, remotes and hashes with `~n` and `^n`: no option, range, path, reflog, search or glob. */
const PLAIN_REVISION = /^[^-\s\p{Cc}:?*[\]{}\\][^\s\p{Cc}:?*[\]{}\\]{0,254}$/u;
const HAS_RANGE = /\.\.|\^@|\^!|\^-/;

/** The full hash of the commit that a name stands for, tags peeled; `undefined` when there is none or the name is of another kind. */
export async function resolveCommit(git: Git, repository: Repository, ref: string): Promise<string | undefined> {
  if (!ref.isWellFormed() || !PLAIN_REVISION.test(ref) || HAS_RANGE.test(ref)) return undefined;
  const answer = await runGit(git, checkoutPlace(repository), {
    args: ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
    normalExits: [0, 1, 128],
  });
  const commit = answer.stdout.toString().trim();
  return answer.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** The object that a full ref name stands for now; `undefined` when there is no such ref. */
export async function readRef(git: Git, repository: Repository, name: string): Promise<string | undefined> {
  const answer = await runGit(git, checkoutPlace(repository), {
    args: ['show-ref', '--verify', '--hash', '--', name],
    normalExits: [0, 1, 128],
  });
  if (answer.exitCode !== 0) return undefined;
  return answer.stdout.toString().trim();
}
