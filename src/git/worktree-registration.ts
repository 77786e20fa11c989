import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodePath } from '../base/index.ts';
import { readBounded } from './bounded-file.ts';
import type { Repository } from './repository.ts';

/** What the user's repository knows of a linked worktree. */
export interface Registration {
  /** `<commonDir>/worktrees/<name>`. */
  readonly adminDirectory: string;
  /** Where the worktree stands or stood. */
  readonly directory: string;
  /** The lock's reason; `undefined` when it is not locked. */
  readonly lockReason: string | undefined;
}

/** Lock reasons that begin so are Remit's. */
export const LOCK_REASON = 'Remit task';
const MAX_LINE_BYTES = 64 * 1024;

/** The registration of exactly this directory, whether or not the directory is there. Layout: gitrepository-layout(5). */
export async function findRegistration(repository: Repository, directory: string): Promise<Registration | undefined> {
  const parent = join(repository.commonDir, 'worktrees');
  const wanted = await realish(directory);
  for (const name of await readdir(parent).catch(() => [])) {
    const adminDirectory = join(parent, name);
    const pointer = await readText(join(adminDirectory, 'gitdir'));
    if (pointer === undefined || (await realish(dirname(pointer))) !== wanted) continue;
    return { adminDirectory, directory, lockReason: await readText(join(adminDirectory, 'locked')) };
  }
  return undefined;
}

async function readText(path: string): Promise<string | undefined> {
  const reading = await readBounded(path, MAX_LINE_BYTES);
  return reading.kind === 'file' ? decodePath(reading.bytes).replace(/\n$/, '') : undefined;
}

/** The real path, also of a directory that is gone. */
async function realish(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = await realpath(dirname(path)).catch(() => dirname(path));
    return join(parent, path.slice(dirname(path).length));
  }
}
