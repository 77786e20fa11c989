import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { constants, type FileHandle, link, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { decodePath, sha256 } from '../../base/index.ts';
import { codeOf, describeLink, type OpenFolder, openFolder, refusalOf } from './open-folder.ts';
import { denyAccess } from './permission.ts';
import {
  type Expected,
  type FileChange,
  type FileReading,
  type FolderEntry,
  type FolderReading,
  LARGEST_FILE_BYTES,
  type PlaceFiles,
  type Refused,
} from './place.ts';

const DONE: FileChange = { kind: 'done' };
const UNEXPECTED: FileChange = { kind: 'unexpected' };

/** Files below `root` on this machine. No link is followed, at any step; a file is replaced whole, by rename. */
export function localFiles(root: string): PlaceFiles {
  return {
    peek: (path) => readLocal(root, path),
    show: async () => DONE,
    write: (path, bytes, { expected, mode }) =>
      changing(root, 'edit', [path], async ([at]) => writeIn(at as Spot, bytes, expected, mode)),
    move: (from, to, { expected }) =>
      changing(root, 'move', [from, to], async ([source, target]) =>
        moveBetween(source as Spot, target as Spot, expected),
      ),
    remove: (path, { expected }) =>
      changing(root, 'delete', [path], async ([at]) => {
        const found = await matches(at as Spot, expected);
        if (found !== true) return found;
        await unlink((at as Spot).entry);
        return DONE;
      }),
    list: (path) => listLocal(root, path),
  };
}

/** An entry of an open folder. */
interface Spot {
  readonly folder: OpenFolder;
  readonly entry: Buffer;
}

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

async function readLocal(root: string, path: string): Promise<FileReading> {
  const denied = denyAccess('read', [path]);
  if (denied !== undefined) return denied;
  if (path === '') return { kind: 'refused', reason: 'is a folder' };
  const { folder, name } = split(path);
  const opened = await openFolder(root, folder);
  if (opened.kind !== 'folder') return opened;
  await using parent = opened.folder;
  // Awaited here: else the folder is closed while its number is still in use.
  return await readEntry(parent.entry(name));
}

async function readEntry(entry: Buffer): Promise<FileReading> {
  try {
    // Without waiting: a named pipe would else hold the worker until somebody writes into it.
    await using file = await open(entry, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isDirectory()) return { kind: 'refused', reason: 'is a folder' };
    if (!facts.isFile()) return { kind: 'refused', reason: 'is no regular file' };
    const bytes = facts.size > LARGEST_FILE_BYTES ? undefined : await readBounded(file);
    return bytes === undefined ? tooLarge(facts.size) : { kind: 'file', bytes, mode: facts.mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    const reason = codeOf(error) === 'ELOOP' ? await describeLink(entry) : undefined;
    return reason === undefined ? refusalOf(error) : { kind: 'refused', reason };
  }
}

/** To the end, wherever that is by then; `undefined` when the file grows beyond the limit meanwhile. */
async function readBounded(file: FileHandle): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= LARGEST_FILE_BYTES) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(256 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}

function tooLarge(size: number): Refused {
  return { kind: 'refused', reason: `is too large (${size} bytes; at most ${LARGEST_FILE_BYTES} can be read)` };
}

/** Opens the folders of all paths, makes the change and turns what the system refuses into a sentence. */
async function changing(
  root: string,
  kind: 'edit' | 'move' | 'delete',
  paths: readonly string[],
  change: (spots: readonly Spot[]) => Promise<FileChange>,
): Promise<FileChange> {
  const denied =
    denyAccess(kind, paths) ?? (paths.includes('') ? { kind: 'refused' as const, reason: 'is a folder' } : undefined);
  if (denied !== undefined) return denied;
  const spots: Spot[] = [];
  try {
    for (const path of paths) {
      const { folder, name } = split(path);
      const opening = await openFolder(root, folder, { make: kind === 'edit' || spots.length > 0 });
      if (opening.kind === 'absent') return UNEXPECTED;
      if (opening.kind === 'refused') return opening;
      spots.push({ folder: opening.folder, entry: opening.folder.entry(name) });
    }
    return await change(spots);
  } catch (error) {
    // The entry went away, or one came, between the look and the change.
    if (['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) return UNEXPECTED;
    return refusalOf(error);
  } finally {
    for (const { folder } of spots) await folder[Symbol.asyncDispose]();
  }
}

/** Whether what is there is what is expected. */
async function matches(spot: Spot, expected: Expected | undefined): Promise<true | FileChange> {
  if (expected === undefined) return removable(spot);
  const current = await readEntry(spot.entry);
  if (current.kind === 'refused') return current;
  if (current.kind === 'absent' || expected === 'absent') return current.kind === expected ? true : UNEXPECTED;
  return sha256(current.bytes) === expected.sha256 ? true : UNEXPECTED;
}

/** A file of any size and a link (the entry itself goes, not what it leads to), but no folder. */
async function removable({ entry }: Spot): Promise<true | FileChange> {
  const facts = await lstat(entry);
  return facts.isFile() || facts.isSymbolicLink()
    ? true
    : { kind: 'refused', reason: facts.isDirectory() ? 'is a folder' : 'is no regular file' };
}

/** A reader sees the old file or the new one. The look and the change are two steps: between them only a program that races can come. */
async function writeIn(spot: Spot, bytes: Buffer, expected: Expected, mode: number | undefined): Promise<FileChange> {
  const current = await readEntry(spot.entry);
  const found = await matches(spot, expected);
  if (found !== true) return found;
  const draft = spot.folder.entry(`.remit-${randomBytes(8).toString('hex')}`);
  await writeDraft(draft, bytes, mode ?? (current.kind === 'file' ? current.mode : undefined));
  try {
    if (expected === 'absent') await placeNew(draft, spot.entry);
    else await rename(draft, spot.entry);
    return DONE;
  } finally {
    await unlink(draft).catch(ignoreAbsent);
  }
}

async function writeDraft(draft: Buffer, bytes: Buffer, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using file = await open(draft, flags, 0o666);
  try {
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(mode);
  } catch (error) {
    await unlink(draft).catch(ignoreAbsent);
    throw error;
  }
}

/** A second name for the file, which fails where a file is; then the first one can go. Throws EEXIST. */
async function placeNew(from: Buffer, to: Buffer): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // A file system without second names.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    if ((await lstat(to).catch(ignoreAbsent)) !== undefined)
      throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    await rename(from, to);
  }
}

async function moveBetween(source: Spot, target: Spot, expected: Expected): Promise<FileChange> {
  const found = await matches(source, expected);
  if (found !== true) return found;
  try {
    await placeNew(source.entry, target.entry);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      return { kind: 'refused', reason: 'cannot be moved there: the new path exists already' };
    throw error;
  }
  await unlink(source.entry).catch(ignoreAbsent);
  return DONE;
}

function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

async function listLocal(root: string, path: string): Promise<FolderReading> {
  const opened = await openFolder(root, path, { isTarget: true });
  if (opened.kind !== 'folder') return opened;
  await using folder = opened.folder;
  try {
    const entries = await readdir(folder.self, { withFileTypes: true, encoding: 'buffer' });
    return { kind: 'folder', entries: entries.map(entryOf).sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    return refusalOf(error);
  }
}

function entryOf(entry: Dirent<Buffer>): FolderEntry {
  const name = decodePath(entry.name);
  if (entry.isSymbolicLink()) return { name, kind: 'link' };
  if (entry.isDirectory()) return { name, kind: 'folder' };
  return { name, kind: entry.isFile() ? 'file' : 'other' };
}
