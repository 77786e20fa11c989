import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePath } from '../base/index.ts';
import { MAX_RULE_BYTES, readBounded } from './bounded-file.ts';
import type { Git } from './open-git.ts';
import { commonPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/**
 * What a worker could change in the user's repository beside files: every ref, the HEAD of every checkout, the stash, the
 * configuration, hooks and rule files. Values are hashes; the map is small enough to be stored.
 */
export type RefSnapshot = Readonly<Record<string, string>>;

export interface RefDifference {
  /** `refs/heads/main`, `HEAD`, `worktrees/x/HEAD`, `config`, `hooks/pre-push` … */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const FILES = [
  'HEAD',
  'config',
  'config.worktree',
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'info/sparse-checkout',
  'logs/refs/stash',
];

/** One Git call and a few small files. */
export async function snapshotRefs(git: Git, repository: Repository): Promise<RefSnapshot> {
  const [refs, files] = await Promise.all([readRefs(git, repository), readFiles(repository.commonDir)]);
  return { ...refs, ...files };
}

/** What differs, sorted by name. `isExpected` names what others may change meanwhile, such as the branches of other tasks. */
export function compareRefs(
  before: RefSnapshot,
  after: RefSnapshot,
  isExpected: (name: string) => boolean = () => false,
): RefDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name] && !isExpected(name))
    .toSorted()
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

async function readRefs(git: Git, repository: Repository): Promise<Record<string, string>> {
  const { stdout } = await runGit(git, commonPlace(repository), {
    args: ['for-each-ref', '--format=%(objectname) %(symref) %(refname)'],
  });
  const refs: Record<string, string> = {};
  for (const line of decodePath(stdout).split('\n')) {
    const [object = '', symbolic = '', name] = line.split(' ');
    if (name !== undefined) refs[name] = symbolic === '' ? object : `${object} ${symbolic}`;
  }
  return refs;
}

async function readFiles(commonDir: string): Promise<Record<string, string>> {
  const worktrees = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  const hooks = await readdir(join(commonDir, 'hooks')).catch(() => []);
  const names = [
    ...FILES,
    ...worktrees.flatMap((name) => [`worktrees/${name}/HEAD`, `worktrees/${name}/config.worktree`]),
    ...hooks.map((name) => `hooks/${name}`),
  ];
  const digests = await Promise.all(
    names.map(async (name) => [name, await digestFile(join(commonDir, name))] as const),
  );
  return Object.fromEntries(digests.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** What cannot be read, such as a pipe in the place of a file, counts by the reason. */
async function digestFile(path: string): Promise<string | undefined> {
  const reading = await readBounded(path, MAX_RULE_BYTES);
  if (reading.kind === 'missing') return undefined;
  const content = reading.kind === 'file' ? reading.bytes : reading.reason;
  return createHash('sha256').update(content).digest('hex');
}
