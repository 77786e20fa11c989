import { closeSync, mkdirSync, mkdtempSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodePath, sha256 } from '../base/index.ts';
import { Breath } from './breath.ts';
import type { WorkChange } from './scan-workspace.ts';
import { WorktreeReader } from './worktree-reader.ts';

export type RefusalReason =
  | 'changed_while_read'
  | 'too_large'
  | 'special_file'
  | 'submodule'
  | 'nested_repository'
  | 'directory'
  | 'unreadable'
  /** Under a `filter` attribute: what Git would store there only the filter can make. */
  | 'filtered'
  /** A name that Git does not store, such as `.git`. */
  | 'invalid_name'
  /** Git cannot convert the content as the attributes ask. */
  | 'not_convertible'
  /** A file where the base has a folder that stays, or the other way round. */
  | 'conflicts_with_base';

export interface Refusal {
  readonly path: string;
  readonly reason: RefusalReason;
  readonly detail?: string;
}

export interface Staging {
  readonly directory: string;
  /** Paths with a copy in `directory`, each with the SHA-256 of the copied bytes, of a link of its target. */
  readonly copied: ReadonlyMap<string, string>;
  readonly refused: readonly Refusal[];
}

const UNTAKEABLE: Partial<Record<WorkChange['entry'], RefusalReason>> = {
  submodule: 'submodule',
  nested_repository: 'nested_repository',
  special: 'special_file',
  directory: 'directory',
  unreadable: 'unreadable',
};

export function untakeable(change: WorkChange): RefusalReason | undefined {
  return UNTAKEABLE[change.entry];
}

/**
 * Copies what the worker's files hold now into a folder that only the host writes. From here on nothing the worker does
 * can matter: what is hashed is the copy.
 */
export async function stage(
  root: string,
  hostDirectory: string,
  changes: readonly WorkChange[],
  maxFileBytes: number,
): Promise<Staging> {
  const directory = mkdtempSync(join(hostDirectory, 'staging-'));
  const copied = new Map<string, string>();
  const refused: Refusal[] = [];
  using reader = new WorktreeReader(root);
  const made = new Set<string>();
  const breath = new Breath();
  for (const { path } of changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    await breath.take();
    const copy = copyOne(reader, directory, made, path, maxFileBytes);
    if ('sha256' in copy) copied.set(path, copy.sha256);
    else refused.push({ path, reason: copy.refused });
  }
  return { directory, copied, refused };
}

function copyOne(
  reader: WorktreeReader,
  directory: string,
  made: Set<string>,
  path: string,
  maxBytes: number,
): { readonly sha256: string } | { readonly refused: RefusalReason } {
  if (!isPlainPath(path)) return { refused: 'invalid_name' };
  const reading = reader.read(path, maxBytes);
  if (reading.kind === 'refused') return { refused: reading.reason };
  const target = Buffer.concat([Buffer.from(`${directory}/`), encodePath(path)]);
  try {
    makeParents(directory, made, path);
    if (reading.kind === 'symlink') symlinkSync(reading.target, target);
    else writeNew(target, reading.bytes, reading.isExecutable);
    return { sha256: sha256(reading.kind === 'symlink' ? reading.target : reading.bytes) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // Too long a path here although it was not where the file stands.
    if (code === 'ENAMETOOLONG') return { refused: 'unreadable' };
    // The list had a file and something below it: one of the two is no longer so.
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(code)) return { refused: 'changed_while_read' };
    throw error;
  }
}

function makeParents(directory: string, made: Set<string>, path: string): void {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (parent === '' || made.has(parent)) return;
  makeParents(directory, made, parent);
  mkdirSync(Buffer.concat([Buffer.from(`${directory}/`), encodePath(parent)]), { mode: 0o700 });
  made.add(parent);
}

/** Never through something that is there already: a link staged before would lead out. */
function writeNew(target: Buffer, bytes: Buffer, isExecutable: boolean): void {
  const descriptor = openSync(target, 'wx', isExecutable ? 0o755 : 0o644);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  } finally {
    closeSync(descriptor);
  }
}

/** No empty, `.` or `..` part, and no `.git`, which Git would take for a repository. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}
