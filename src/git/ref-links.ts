import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleLine } from '../base/index.ts';
import type { Repository } from './repository.ts';

/**
 * Why Git must not write a branch: something on the way to its file, or to that of its reflog, is a symbolic link, so another ref
 * or a file of another place would be written. `undefined` when there is no link.
 */
export async function findRefLink(repository: Repository, branch: string): Promise<string | undefined> {
  const parts = `refs/heads/${branch}`.split('/');
  const places = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return findLink(repository.commonDir, [...places, 'logs', ...places.map((place) => `logs/${place}`)]);
}

/** The first of some places in a Git directory that is a symbolic link, as a reason to refuse. */
export async function findLink(gitDir: string, places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const path = join(gitDir, place);
    const facts = await lstat(path).catch(() => undefined);
    if (facts?.isSymbolicLink() === true) {
      return `${visibleLine(path)} is a symbolic link: Git would write where it leads, outside of the repository's own place. Put the file or folder itself there`;
    }
  }
  return undefined;
}
