import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePath, encodePath, RemitError, visibleLine } from '../base/index.ts';
import { requireReadable } from './bounded-file.ts';
import { Breath } from './breath.ts';
import { findLink } from './ref-links.ts';
import { joinBytes } from './remove-directory.ts';

/** What Git reads to find out that something is a Git directory, before anything else. */
const ENTRY_FILES = ['HEAD', 'commondir', 'gitdir', 'config', 'config.worktree', 'shallow'];
/** What it reads later, whole and into memory. */
const TEXT_FILES = [
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'info/sparse-checkout',
  'objects/info/alternates',
];
/** As large as the repository is; Git maps them. */
const LARGE_FILES = ['index', 'packed-refs', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'];
/**
 * Where Git writes for Remit. A link there would make it write somewhere else: into another repository, or into any folder
 * of the user's.
 */
const OWN_PLACES = [
  'objects',
  'objects/info',
  'objects/pack',
  'refs',
  'refs/heads',
  'packed-refs',
  'reftable',
  'worktrees',
  'logs',
  'logs/refs',
  'logs/refs/heads',
];
/** Beyond that the deadline of each call has to do. */
const MAX_ENTRIES = 100_000;
const MAX_REF_BYTES = 64 * 1024;

/** Refuses a Git directory whose first files Git would hang on. Throws `unsupported_platform`, naming the file. */
export async function requireEntryFiles(gitDir: string): Promise<void> {
  for (const name of ENTRY_FILES) await requireReadable(join(gitDir, name));
}

/**
 * Looks at every file outside the objects that Git opens in the user's repository: each must be regular and of a sane size, and
 * the places where Git writes must be folders of the repository itself. Throws `unsupported_platform`, naming the path.
 */
export async function requireSaneRepository(gitDir: string, commonDir: string): Promise<void> {
  const link = await findLink(commonDir, OWN_PLACES);
  if (link !== undefined) throw new RemitError('unsupported_platform', link);
  for (const directory of new Set([gitDir, commonDir])) {
    await requireEntryFiles(directory);
    for (const name of TEXT_FILES) await requireReadable(join(directory, name));
    for (const name of LARGE_FILES) await requireReadable(join(directory, name), Number.MAX_SAFE_INTEGER);
  }
  const walk: Walk = { left: MAX_ENTRIES, breath: new Breath() };
  // Git reads the registration of every worktree when it makes one.
  await requirePlain(encodePath(join(commonDir, 'worktrees')), walk, { depth: 1, maxBytes: Number.MAX_SAFE_INTEGER });
  await requirePlain(encodePath(join(commonDir, 'refs')), walk, { depth: Infinity, maxBytes: MAX_REF_BYTES });
  await requirePlain(encodePath(join(commonDir, 'objects/pack')), walk, {
    depth: 0,
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
}

interface Walk {
  left: number;
  readonly breath: Breath;
}

/** Nothing but regular files, also behind links, and folders down to `depth` below this one; a linked folder could hold the whole disk. */
async function requirePlain(
  directory: Buffer,
  walk: Walk,
  limits: { readonly depth: number; readonly maxBytes: number },
): Promise<void> {
  await walk.breath.take();
  for (const entry of readEntries(directory)) {
    walk.left -= 1;
    if (walk.left < 0) return;
    const path = joinBytes(directory, entry.name);
    if (entry.isDirectory()) {
      if (limits.depth > 0) await requirePlain(path, walk, { ...limits, depth: limits.depth - 1 });
    } else refuseOdd(path, limits.maxBytes);
  }
}

function refuseOdd(path: Buffer, maxBytes: number): void {
  let facts: ReturnType<typeof statSync>;
  try {
    facts = statSync(path);
  } catch {
    // A link to nothing, or gone meanwhile.
    return;
  }
  if (facts?.isFile() === true && facts.size <= maxBytes) return;
  throw new RemitError(
    'unsupported_platform',
    `${visibleLine(decodePath(path))} is not a regular file that Git could have written (a folder here may not be a link); remove it`,
  );
}

function readEntries(directory: Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
