import { existsSync } from 'node:fs';
import { constants, type FileHandle, lstat, mkdir, open, readlink } from 'node:fs/promises';
import { decodePath, encodePath, visibleLine } from '../../base/index.ts';
import type { Refused } from './place.ts';

/**
 * An open folder below the root. Its entries are named through its descriptor (`/proc/self/fd/N/name`), so that whatever is
 * renamed or replaced by a link meanwhile, they stay entries of the folder that was opened.
 */
export interface OpenFolder {
  /** What the system is handed to reach an entry. */
  entry(name: string): Buffer;
  /** The folder itself, for listing. */
  readonly self: Buffer;
  [Symbol.asyncDispose](): Promise<void>;
}

export type FolderOpening =
  | { readonly kind: 'folder'; readonly folder: OpenFolder }
  | { readonly kind: 'absent' }
  | Refused;

/** Where there is no such thing (macOS), entries are named by path: each step is still opened without following a link. */
const HAS_DESCRIPTOR_PATHS = existsSync('/proc/self/fd');

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens the folder step by step and never through a link; with `make` the missing ones are made. `isTarget`: it is what was asked for. */
export async function openFolder(
  root: string,
  path: string,
  { make = false, isTarget = false } = {},
): Promise<FolderOpening> {
  let current = folderOf(await open(root, FOLDER_FLAGS), Buffer.from(root));
  const names = path === '' ? [] : path.split('/');
  for (const [at, name] of names.entries()) {
    await using left = current;
    const next = await openStep(left, name, make);
    if (next.kind === 'refused')
      return isTarget && at === names.length - 1 ? next : behind(names.slice(0, at + 1), next);
    if (next.kind === 'absent') return next;
    current = next.folder;
  }
  return { kind: 'folder', folder: current };
}

async function openStep(folder: OpenFolder, name: string, make: boolean): Promise<FolderOpening> {
  const entry = folder.entry(name);
  try {
    return { kind: 'folder', folder: folderOf(await open(entry, FOLDER_FLAGS), entry) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' && !make) return { kind: 'absent' };
    if (code === 'ENOENT') {
      await mkdir(entry);
      return openStep(folder, name, false);
    }
    if (code === 'ENOTDIR' || code === 'ELOOP') return { kind: 'refused', reason: await notAFolder(entry) };
    return refusalOf(error);
  }
}

async function notAFolder(entry: Buffer): Promise<string> {
  return (await describeLink(entry)) ?? 'is no folder';
}

/** A link is never followed; the sentence says where it leads, so that the target can be named instead. */
export async function describeLink(entry: Buffer): Promise<string | undefined> {
  try {
    if (!(await lstat(entry)).isSymbolicLink()) return undefined;
    const target = decodePath(await readlink(entry, { encoding: 'buffer' }));
    return `is a link to ${visibleLine(target.slice(0, 200))}; links are not followed, name a path without one`;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function behind(names: readonly string[], { reason }: Refused): Refused {
  return { kind: 'refused', reason: `lies behind ${visibleLine(names.join('/'))}, which ${reason}` };
}

function folderOf(handle: FileHandle, path: Buffer): OpenFolder {
  const self = HAS_DESCRIPTOR_PATHS ? Buffer.from(`/proc/self/fd/${handle.fd}`) : path;
  return {
    self,
    entry: (name) => Buffer.concat([self, Buffer.from('/'), encodePath(name)]),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: 'may not be accessed by this user',
  EPERM: 'may not be changed by this user',
  EROFS: 'lies on a disk that cannot be written',
  ENOSPC: 'does not fit on the disk',
  EDQUOT: 'does not fit into the disk quota',
  ENAMETOOLONG: 'has too long a name',
  EISDIR: 'is a folder',
  ENOTDIR: 'lies behind a file',
  ELOOP: 'is a link; links are not followed',
  ENXIO: 'is no regular file',
};

/** What the system refused, as a value; anything that is no such refusal is thrown on. */
export function refusalOf(error: unknown): Refused {
  const reason = SENTENCES[codeOf(error) ?? ''];
  if (reason === undefined) throw error;
  return { kind: 'refused', reason };
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
