import { lstatSync } from 'node:fs';
import { listTracked } from './list-files.ts';
import type { Git } from './open-git.ts';
import type { GitPlace } from './run-git.ts';

/** An index of fifty thousand files has some thousand folders: about a megabyte for each of these. */
const MAX_INDEXES = 16;

/**
 * The folders of index files, kept for as long as the file is the same one: Git writes an index by putting a new file in
 * its place, so inode, size and times tell. Bounded.
 */
export class IndexFolders {
  readonly #known = new Map<string, { readonly identity: string; readonly folders: ReadonlySet<string> }>();

  find(indexFile: string): ReadonlySet<string> | undefined {
    const known = this.#known.get(indexFile);
    return known !== undefined && known.identity === identityOf(indexFile) ? known.folders : undefined;
  }

  /** `identity` is what the file was before its folders were listed. */
  remember(indexFile: string, identity: string | undefined, folders: ReadonlySet<string>): void {
    this.#known.delete(indexFile);
    if (identity === undefined || identity !== identityOf(indexFile)) return;
    this.#known.set(indexFile, { identity, folders });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_INDEXES && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Every directory that has a tracked file below it; not the root. Paths are bytes in Latin-1. */
export async function listFolders(git: Git, place: GitPlace, indexFile: string): Promise<ReadonlySet<string>> {
  const known = git.folders.find(indexFile);
  if (known !== undefined) return known;
  const identity = identityOf(indexFile);
  const { directories } = await listTracked(git, place);
  git.folders.remember(indexFile, identity, directories);
  return directories;
}

export function identityOf(indexFile: string): string | undefined {
  const facts = lstatSync(indexFile, { bigint: true, throwIfNoEntry: false });
  if (facts?.isFile() !== true) return undefined;
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}
