import { decodePath, encodePath } from '../base/index.ts';
import { joinRecords } from './configuration.ts';
import type { Git } from './open-git.ts';
import { type GitPlace, runGit } from './run-git.ts';
import { objectPlace, type Workspace } from './workspace.ts';

export interface GitObject {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Objects by name or hash, NUL-terminated, in order; `undefined` for what is not there. */
export async function readBlobs(git: Git, place: GitPlace, names: Buffer): Promise<(GitObject | undefined)[]> {
  if (names.length === 0) return [];
  const { stdout } = await runGit(git, place, { args: ['cat-file', '--batch', '-z', '--buffer'], input: names });
  const objects: (GitObject | undefined)[] = [];
  const inputs = names.subarray(0, -1).toString('latin1').split('\0');
  let at = 0;
  for (const input of inputs) {
    // An answer that repeats the question may hold a newline of it, so it is recognised by the question.
    const missing = Buffer.from(`${input} missing\n`, 'latin1');
    if (stdout.subarray(at, at + missing.length).equals(missing)) {
      objects.push(undefined);
      at += missing.length;
      continue;
    }
    const end = stdout.indexOf(10, at);
    const [, type = '', size = ''] = stdout.subarray(at, end).toString().split(' ');
    const start = end + 1;
    objects.push({ type, bytes: stdout.subarray(start, start + Number(size)) });
    at = start + Number(size) + 1;
  }
  return objects;
}

export interface TreeFile {
  readonly entry: 'file' | 'executable' | 'symlink';
  /** Content, or the target of a link. */
  readonly bytes: Buffer;
}

/**
 * Files of a tree, in the order of `paths`; `undefined` for what is not there or is no file. Links on the way are not
 * followed. Everything asked for in one call is held in memory: at most 256 MiB, else it throws.
 */
export async function readTreeFiles(
  git: Git,
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<(TreeFile | undefined)[]> {
  const folders = [...new Set(paths.map(folderOf))];
  const questions = [...folders, ...paths].map((path) => Buffer.concat([Buffer.from(`${tree}:`), encodePath(path)]));
  const objects = await readBlobs(git, objectPlace(workspace), joinRecords(questions));
  const modes = new Map(folders.map((folder, at) => [folder, modesInTree(objects[at], tree.length / 2)]));
  return paths.map((path, at) => {
    const file = objects[folders.length + at];
    const entry = entryKind(modes.get(folderOf(path))?.get(path.slice(path.lastIndexOf('/') + 1)));
    return entry === undefined || file?.type !== 'blob' ? undefined : { entry, bytes: file.bytes };
  });
}

/**
 * Contents of blobs by hash, in order; `undefined` for what is not there or is no blob. Unlike a path, a hash costs Git no
 * walk through the tree's folders. Held in memory: at most 256 MiB, else it throws.
 */
export async function readContents(
  git: Git,
  workspace: Workspace,
  hashes: readonly string[],
): Promise<(Buffer | undefined)[]> {
  const objects = await readBlobs(git, objectPlace(workspace), joinRecords(hashes.map((hash) => Buffer.from(hash))));
  return objects.map((object) => (object?.type === 'blob' ? object.bytes : undefined));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A tree object is a row of `mode SP name NUL hash`. */
function modesInTree(tree: GitObject | undefined, hashBytes: number): Map<string, string> {
  const modes = new Map<string, string>();
  if (tree?.type !== 'tree') return modes;
  for (let at = 0; at < tree.bytes.length; ) {
    const space = tree.bytes.indexOf(32, at);
    const end = tree.bytes.indexOf(0, space);
    modes.set(decodePath(tree.bytes.subarray(space + 1, end)), tree.bytes.toString('latin1', at, space));
    at = end + 1 + hashBytes;
  }
  return modes;
}

function entryKind(mode: string | undefined): TreeFile['entry'] | undefined {
  switch (mode) {
    case '100644':
    case '100664':
      return 'file';
    case '100755':
      return 'executable';
    case '120000':
      return 'symlink';
    default:
      return undefined;
  }
}
