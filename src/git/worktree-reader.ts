import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { encodePath } from '../base/index.ts';

/** What stands at a path of a worktree, read once. */
export type Reading =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly isExecutable: boolean }
  | { readonly kind: 'symlink'; readonly target: Buffer }
  | { readonly kind: 'refused'; readonly reason: 'changed_while_read' | 'too_large' | 'special_file' | 'unreadable' };

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
/** macOS: refuse a link in any part of the path (`O_NOFOLLOW_ANY` in sys/fcntl.h). */
const NOFOLLOW_ANY_ON_MAC = 0x20000000;
const REFUSED_CHANGED: Reading = { kind: 'refused', reason: 'changed_while_read' };

/**
 * Reads files below a folder whose owner may be hostile and still at work: no link is ever followed, on the way or at the
 * end (each folder is opened by its parent's descriptor), nothing that is not a regular file is opened for long (a pipe
 * would block), and a file that changes while it is read is refused.
 */
export class WorktreeReader implements Disposable {
  readonly #root: number;
  readonly #rootPath: Buffer;
  /** The folders on the way to the last path: neighbours in a sorted list share them. */
  #open: { readonly name: string; readonly descriptor: number }[] = [];

  constructor(root: string) {
    this.#rootPath = Buffer.from(root);
    this.#root = openSync(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }

  [Symbol.dispose](): void {
    this.#closeFrom(0);
    closeSync(this.#root);
  }

  read(path: string, maxBytes: number): Reading {
    try {
      const location = this.#locate(path);
      const stats = lstatSync(location, { bigint: true });
      if (stats.isSymbolicLink()) return { kind: 'symlink', target: readlinkSync(location, { encoding: 'buffer' }) };
      if (!stats.isFile())
        return { kind: 'refused', reason: stats.isDirectory() ? 'changed_while_read' : 'special_file' };
      return readRegular(location, maxBytes);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code)) return { kind: 'refused', reason: 'unreadable' };
      if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR', 'EINVAL'].includes(code)) return REFUSED_CHANGED;
      throw error;
    }
  }

  /** A path by which the system finds the file without passing a link. */
  #locate(path: string): Buffer {
    const parts = path.split('/');
    const name = encodePath(parts.pop() ?? '');
    if (process.platform !== 'linux') return Buffer.concat([this.#rootPath, Buffer.from('/'), encodePath(path)]);
    let shared = 0;
    while (shared < parts.length && this.#open[shared]?.name === parts[shared]) shared += 1;
    this.#closeFrom(shared);
    for (const part of parts.slice(shared)) {
      const descriptor = openSync(below(this.#deepest(), encodePath(part)), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      this.#open.push({ name: part, descriptor });
    }
    return below(this.#deepest(), name);
  }

  #deepest(): number {
    return this.#open.at(-1)?.descriptor ?? this.#root;
  }

  #closeFrom(depth: number): void {
    for (const { descriptor } of this.#open.splice(depth)) closeSync(descriptor);
  }
}

/** `openat` by way of /proc: the descriptor's own folder, whatever now stands at its former path. */
function below(descriptor: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${descriptor}/`), name]);
}

function readRegular(location: Buffer, maxBytes: number): Reading {
  const noFollow = process.platform === 'darwin' ? NOFOLLOW_ANY_ON_MAC : O_NOFOLLOW;
  const descriptor = openSync(location, O_RDONLY | noFollow | O_NONBLOCK | O_NOCTTY);
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) return REFUSED_CHANGED;
    if (before.size > BigInt(maxBytes)) return { kind: 'refused', reason: 'too_large' };
    const bytes = readWhole(descriptor, Number(before.size));
    const after = fstatSync(descriptor, { bigint: true });
    if (bytes === undefined || !isSameState(before, after)) return REFUSED_CHANGED;
    return { kind: 'file', bytes, isExecutable: (before.mode & 0o100n) !== 0n };
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number, size: number): Buffer | undefined {
  // One byte more than there should be: a file that grew is noticed.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length <= size) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length === size ? buffer.subarray(0, size) : undefined;
}

function isSameState(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.mode === b.mode;
}
