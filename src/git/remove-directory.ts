import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { Breath } from './breath.ts';

const SLASH = Buffer.from('/');
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux: a handle on a folder that may not be read yet (`O_PATH` in fcntl.h; Node does not name it). */
const O_PATH = 0x200000;

/**
 * Removes a file or a whole directory. Links are removed, never followed; directories that their owner may not write are
 * made writable first. What is not there counts as removed. Names are bytes. Folders may nest deeper than a path can be
 * long: what lies two levels down is moved up before it is looked into, so that no path grows.
 */
export async function removeEntry(path: string | Buffer, breath: Breath = new Breath()): Promise<void> {
  const bytes = typeof path === 'string' ? Buffer.from(path) : path;
  const stats = lstatSync(bytes, { throwIfNoEntry: false });
  if (stats === undefined) return;
  await breath.take();
  if (stats.isDirectory()) {
    await emptyDirectory(bytes, breath);
    rmdirSync(bytes);
  } else unlinkSync(bytes);
}

async function emptyDirectory(path: Buffer, breath: Breath): Promise<void> {
  using top = new Folder(path);
  const moved = new MovedNames();
  // Each round removes a level of what it found; what it moved up is for the next.
  for (let inner = removeFiles(top); inner.length > 0; inner = removeFiles(top)) {
    for (const name of inner) {
      await breath.take();
      lift(top, name, moved);
      rmdirSync(top.at(name));
    }
  }
}

/** Removes what is no folder, and answers the folders. */
function removeFiles(folder: Folder): Buffer[] {
  const inner: Buffer[] = [];
  for (const entry of folder.entries()) {
    if (entry.isDirectory()) inner.push(entry.name);
    else unlinkSync(folder.at(entry.name));
  }
  return inner;
}

/** Empties a folder of `top` by moving its folders up. */
function lift(top: Folder, name: Buffer, moved: MovedNames): void {
  using folder = new Folder(top.at(name));
  for (const inner of removeFiles(folder)) {
    // Moving a folder elsewhere changes its `..`, so it must be writable itself.
    new Folder(folder.at(inner))[Symbol.dispose]();
    renameSync(folder.at(inner), top.at(moved.next()));
  }
}

/** Names that nothing has yet. */
class MovedNames {
  readonly #prefix = `.removed-${randomBytes(8).toString('hex')}-`;
  #count = 0;

  next(): Buffer {
    this.#count += 1;
    return Buffer.from(`${this.#prefix}${this.#count}`);
  }
}

/** A folder by its handle: whatever is put at its path meanwhile, a link above all, is not reached. Its owner may change it. */
class Folder implements Disposable {
  readonly #place: Buffer;
  readonly #descriptor: number | undefined;

  constructor(path: Buffer) {
    if (process.platform === 'linux') {
      this.#descriptor = openSync(path, O_PATH | O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      this.#place = Buffer.from(`/proc/self/fd/${this.#descriptor}`);
    } else this.#place = path;
    try {
      openUp(this.#place, (this.#descriptor === undefined ? lstatSync(path) : fstatSync(this.#descriptor)).mode);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  at(name: Uint8Array): Buffer {
    return joinBytes(this.#place, name);
  }

  entries(): Dirent<Buffer>[] {
    return readdirSync(this.#place, { encoding: 'buffer', withFileTypes: true });
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/** Gives the owner what it needs to look into and change a directory. */
export function openUp(directory: Buffer, mode: number): void {
  if ((mode & 0o700) !== 0o700) chmodSync(directory, (mode & 0o777) | 0o700);
}

export function joinBytes(directory: Buffer, name: Uint8Array): Buffer {
  return Buffer.concat([directory, SLASH, name]);
}
