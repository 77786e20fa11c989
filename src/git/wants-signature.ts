import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Whether the user wants commits signed (`commit.gpgSign`). Remit's own never are: a signing program may wait for a person. */
export async function wantsSignature(git: Git, repository: Repository): Promise<boolean> {
  const { exitCode, stdout } = await runGit(git, checkoutPlace(repository), {
    args: ['config', '--type=bool', '--show-scope', '--get-all', 'commit.gpgSign'],
    // 1: it is not set. 128: its value is no boolean.
    normalExits: [0, 1, 128],
  });
  if (exitCode !== 0) return false;
  // The scope `command` is Remit's own neutralisation.
  const own = stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('command\t'));
  return own.at(-1)?.endsWith('\ttrue') ?? false;
}
