import { lstat } from 'node:fs/promises';
import { encodePath, sha256 } from '../../base/index.ts';
import type { FileLooks } from './changed-files.ts';

/** A file that was touched this shortly before a look may be touched again without another time. */
const SETTLED_MS = 100;

/** Reads a file only when something of it is another than at the last look: a task may have thousands, and is looked at after each command. */
export function fileLooks(worktree: string, read: FileLooks['read']): FileLooks {
  const known = new Map<string, { readonly state: string; readonly digest: string }>();
  return {
    read,
    async digest(path) {
      const state = await stateOf(worktree, path);
      const last = known.get(path);
      if (state !== undefined && last?.state === state) return last.digest;
      const bytes = await read(path);
      const digest = typeof bytes === 'string' ? bytes : sha256(bytes);
      if (state === undefined) known.delete(path);
      else known.set(path, { state, digest });
      return digest;
    },
  };
}

/** The change time is the system's own: nobody can set it. `undefined` when it says nothing for certain. */
async function stateOf(worktree: string, path: string): Promise<string | undefined> {
  const name = Buffer.concat([Buffer.from(`${worktree}/`), encodePath(path)]);
  const facts = await lstat(name, { bigint: true }).catch(() => undefined);
  if (facts === undefined || Date.now() - Number(facts.ctimeMs) < SETTLED_MS) return undefined;
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = facts;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ');
}
