import { decodePath } from '../base/index.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { firstLines, runGit } from './run-git.ts';

/** Each is `Name <mail>`. */
export type Identity =
  | { readonly kind: 'identity'; readonly author: string; readonly committer: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Keys by which the two can differ; the environment, which also could, is not handed on to Git. */
const OF_ONE_ROLE = /^(?:author|committer)\.(?:name|email)$/;

/**
 * Who would be the author of a commit, by Git's own rules and the user's configuration; the machine's name is never used.
 * `configuration`: the repository's, where the caller has just read it.
 */
export async function readIdentity(git: Git, repository: Repository, configuration?: Configuration): Promise<Identity> {
  const entries = configuration ?? (await readConfiguration(git, checkoutPlace(repository)));
  const author = readIdent(git, repository, 'GIT_AUTHOR_IDENT');
  const areDifferent = entries.some(([key]) => OF_ONE_ROLE.test(key));
  const [first, second] = await Promise.all([
    author,
    areDifferent ? readIdent(git, repository, 'GIT_COMMITTER_IDENT') : author,
  ]);
  if (typeof first !== 'string') return first;
  if (typeof second !== 'string') return second;
  return { kind: 'identity', author: first, committer: second };
}

async function readIdent(
  git: Git,
  repository: Repository,
  name: string,
): Promise<string | Extract<Identity, { kind: 'missing' }>> {
  const answer = await runGit(git, checkoutPlace(repository), { args: ['var', name], normalExits: [0, 1, 128] });
  const ident = /^(.*<.*>) \d+ [+-]\d{4}\n$/s.exec(decodePath(answer.stdout))?.[1];
  if (answer.exitCode === 0 && ident !== undefined) return ident;
  const said = answer.stderr
    .split('\n')
    .filter((line) => line.startsWith('fatal: ') || line.startsWith('error: '))
    .join('\n');
  return {
    kind: 'missing',
    reason: `Git has no usable author identity: ${firstLines(said || answer.stderr)}. Set user.name and user.email with git config`,
  };
}
