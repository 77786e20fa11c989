import type { Place } from '../place/place.ts';

/** Entries that a search looks at before it gives up. */
const MOST_ENTRIES = 100_000;

/** Git's own files, and installed packages: looked into only when the search is told to begin there. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export interface Walk {
  /** Files below the folder, in order, with their whole path. */
  readonly files: readonly string[];
  /** Why there may be more; `undefined` when these are all. */
  readonly cut?: string;
}

/**
 * Ignore files are not read: their rules decide in several files and orders what is seen, and a file that a search hides is
 * a file that nobody reviews. Links are never followed. Folders that cannot be listed are passed over.
 */
export async function walk(place: Place, start: string, signal?: AbortSignal): Promise<Walk> {
  const files: string[] = [];
  const folders = [start];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (signal?.aborted) return { files, cut: 'cancelled' };
    const listed = await place.files.list(folder);
    if (listed.kind !== 'folder') continue;
    seen += listed.entries.length;
    if (seen > MOST_ENTRIES)
      return { files: files.sort(), cut: `stopped after ${MOST_ENTRIES} entries; search in a folder with path` };
    for (const { name, kind } of listed.entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file') files.push(path);
      if (kind === 'folder' && !PASSED_OVER.has(name)) folders.push(path);
    }
  }
  return { files: files.sort() };
}
