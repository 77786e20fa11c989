import { RemitError } from '../base/index.ts';
import type { Git } from './open-git.ts';
import { type Identity, readIdentity } from './read-identity.ts';
import { runGit } from './run-git.ts';
import { appendTrailers, type Trailer } from './trailers.ts';
import { objectPlace, type Workspace } from './workspace.ts';

export interface CommitOptions {
  readonly tree: string;
  /** Stored byte for byte; without NUL. */
  readonly message: string;
  readonly trailers: readonly Trailer[];
  /** Default: read now. */
  readonly identity?: Identity;
}

/**
 * Makes the commit object, parent the base, by the user's identity, unsigned, in the host's own object store: no ref moves
 * and the user's repository gets nothing. Throws `invalid_request` without an identity or with a NUL in the message.
 */
export async function commitTree(git: Git, workspace: Workspace, options: CommitOptions): Promise<string> {
  const message = appendTrailers(options.message, options.trailers);
  if (message.includes('\0') || !message.isWellFormed()) {
    throw new RemitError('invalid_request', 'a commit message is text without NUL; leave that character out');
  }
  const identity = options.identity ?? (await readIdentity(git, workspace.repository));
  if (identity.kind === 'missing') throw new RemitError('invalid_request', identity.reason);
  const place = objectPlace(workspace);
  const variables = {
    ...place.variables,
    ...identVariables('AUTHOR', identity.author),
    ...identVariables('COMMITTER', identity.committer),
    // The zone of the user, which the host's own directory knows nothing of.
    ...('TZ' in git.userEnvironment ? { TZ: git.userEnvironment['TZ'] } : {}),
  } as Record<string, string>;
  const { stdout } = await runGit(
    git,
    { ...place, variables },
    {
      args: ['commit-tree', options.tree, '-p', workspace.base, '-F', '-'],
      input: message,
    },
  );
  return stdout.toString().trim();
}

function identVariables(role: 'AUTHOR' | 'COMMITTER', ident: string): Record<string, string> {
  const start = ident.lastIndexOf('<');
  return { [`GIT_${role}_NAME`]: ident.slice(0, start).trim(), [`GIT_${role}_EMAIL`]: ident.slice(start + 1, -1) };
}
