import { type Dirent, readdirSync } from 'node:fs';
import { Breath } from './breath.ts';
import type { TrackedPaths } from './list-files.ts';

/** Something in a worktree that Git's own listing did not name. Paths are bytes in Latin-1. */
export interface Finding {
  readonly path: string;
  readonly kind: 'ignored_file' | 'ignored_directory' | 'special' | 'nested_repository' | 'submodule' | 'unreadable';
}

export interface WalkOptions {
  readonly root: string;
  readonly tracked: TrackedPaths;
  /** What `ls-files --others` named: files, and directories (with a slash at the end) that are repositories. */
  readonly untracked: ReadonlySet<string>;
  /** Whether to list the files of an ignored directory one by one. */
  readonly expand: (directory: string) => boolean;
}

/** How many entries of an ignored directory are looked at to tell what it holds. */
const PEEK_ENTRIES = 2_000;

/**
 * Looks at every entry of a worktree by itself, without following links, and reports what Git leaves out of its listings:
 * ignored files, sockets, pipes and devices, `.git` entries of nested repositories, files inside submodules.
 */
export async function walkWorktree(options: WalkOptions): Promise<Finding[]> {
  const walk = new Walk(options);
  await walk.visit('');
  return walk.findings;
}

class Walk {
  readonly findings: Finding[] = [];
  readonly #options: WalkOptions;
  readonly #breath = new Breath();
  readonly #live: Set<string>;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#live = new Set(options.tracked.directories);
    for (const path of options.untracked) {
      let end = path.lastIndexOf('/');
      while (end > 0 && !this.#live.has(path.slice(0, end))) {
        this.#live.add(path.slice(0, end));
        end = path.lastIndexOf('/', end - 1);
      }
    }
  }

  async visit(directory: string): Promise<void> {
    await this.#breath.take();
    for (const entry of this.#entries(directory)) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.name === '.git') {
        if (directory !== '') this.#report(path, 'nested_repository');
      } else if (entry.isDirectory()) await this.#visitDirectory(path);
      else this.#visitFile(path, entry);
    }
  }

  async #visitDirectory(path: string): Promise<void> {
    const { tracked, untracked, expand } = this.#options;
    if (untracked.has(`${path}/`)) this.#report(path, 'nested_repository');
    else if (tracked.submodules.has(path)) {
      if (this.#entries(path).length > 0) this.#report(path, 'submodule');
    } else if (this.#live.has(path) || expand(path)) await this.visit(path);
    else this.#peek(path);
  }

  #visitFile(path: string, entry: Dirent): void {
    const { tracked, untracked } = this.#options;
    if (tracked.files.has(path) || untracked.has(path)) return;
    this.#report(path, isPlain(entry) ? 'ignored_file' : 'special');
  }

  /** A directory with nothing that Git listed: ignored as a whole, or holding only special files, or empty. */
  #peek(directory: string): void {
    const pending = [directory];
    for (let seen = 0; seen < PEEK_ENTRIES; ) {
      const next = pending.pop();
      if (next === undefined) return;
      for (const entry of this.#entries(next)) {
        seen += 1;
        const path = `${next}/${entry.name}`;
        if (entry.isDirectory()) pending.push(path);
        else if (isPlain(entry)) {
          this.#report(directory, 'ignored_directory');
          return;
        } else this.#report(path, 'special');
      }
    }
    this.#report(directory, 'ignored_directory');
  }

  #entries(directory: string): Dirent[] {
    const entries = readEntries(this.#options.root, directory);
    // What is closed to the host cannot be compared, so it must not pass for unchanged.
    if (entries === 'closed') this.#report(directory, 'unreadable');
    return entries === 'closed' ? [] : entries;
  }

  #report(path: string, kind: Finding['kind']): void {
    this.findings.push({ path, kind });
  }
}

function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

function readEntries(root: string, directory: string): Dirent[] | 'closed' {
  const path =
    directory === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(directory, 'latin1')]);
  try {
    // `latin1` gives each byte of a name as one character.
    return readdirSync(path, { withFileTypes: true, encoding: 'latin1' as BufferEncoding }) as Dirent[];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // A path that is too long for the system can be made, by going down step by step, but not looked at.
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG') return 'closed';
    // Gone or replaced while we look.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return [];
    throw error;
  }
}
