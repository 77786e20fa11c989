import { decodePath } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { firstLines, runGit } from './run-git.ts';

/** Each is `Name <mail>`. */
export type Identity =
  | { readonly kind: 'identity'; readonly author: string; readonly committer: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Who would be the author of a commit, by Git's own rules and the user's configuration; the machine's name is never used. */
export async function readIdentity(git: Git, repository: Repository): Promise<Identity> {
  const [author, committer] = await Promise.all([
    readIdent(git, repository, 'GIT_AUTHOR_IDENT'),
    readIdent(git, repository, 'GIT_COMMITTER_IDENT'),
  ]);
  if (typeof author !== 'string') return author;
  if (typeof committer !== 'string') return committer;
  return { kind: 'identity', author, committer };
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
