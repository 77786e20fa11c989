import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePath, encodePath, RemitError, visibleLine } from '../base/index.ts';
import { findBlockingRules } from './blocking-rules.ts';
import { Breath } from './breath.ts';
import { lastValue, readConfiguration, splitRecords } from './configuration.ts';
import { identityOf, listFolders } from './index-folders.ts';
import { listDifferences, listTracked, type TrackedPaths } from './list-files.ts';
import type { Git } from './open-git.ts';
import { createPrivateDirectory } from './private-directory.ts';
import { joinBytes, openUp, removeEntry } from './remove-directory.ts';
import { type GitPlace, runGit } from './run-git.ts';
import { settleIndex } from './settle-index.ts';
import { hostPlace, type Workspace } from './workspace.ts';

/** The host's own checkout of a tree, unknown to the user's repository. One owner uses it at a time. */
export interface Testbed {
  /** Real path. */
  readonly directory: string;
  /** The host's index of it, beside the directory, so that nothing that runs in it can write there. */
  readonly indexFile: string;
  readonly workspace: Workspace;
}

/** Opens a testbed at a directory that is made for it or was one before, also one of another task of the repository. */
export async function openTestbed(_git: Git, workspace: Workspace, directory: string): Promise<Testbed> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const real = await realpath(directory);
  return { directory: real, indexFile: `${real}.index`, workspace };
}

/**
 * Makes the testbed hold exactly the tree (or a commit's), from whatever state: files restored, everything else removed, ignored files
 * and links included (never followed). It costs what differs. Its `.git` is a repository of its own at the base, with the
 * tree in its index, for commands that only read. Throws when the result is not exactly the tree.
 */
export async function setTestbed(git: Git, testbed: Testbed, tree: string): Promise<void> {
  const place = testbedPlace(testbed);
  // Only this owner writes the index, so a lock that is there was left by an interrupted call.
  await rm(`${testbed.indexFile}.lock`, { force: true });
  const before = identityOf(testbed.indexFile) === undefined ? NOTHING : await listTracked(git, place);
  await sweep(testbed.directory, before, async (path) => removeEntry(path));
  await runGit(git, place, { args: ['read-tree', '-u', '--reset', tree] });
  const tracked = await checkExactness(git, testbed, tree);
  await giveRepository(git, testbed);
  await settleIndex(testbed.indexFile);
  git.folders.remember(testbed.indexFile, identityOf(testbed.indexFile), tracked.directories);
}

const NOTHING: TrackedPaths = { files: new Set(), directories: new Set(), submodules: new Set() };

/** Changes whenever a testbed is set or restored, by whichever process. */
export function testbedMark(testbed: Testbed): string | undefined {
  return identityOf(testbed.indexFile);
}

/** Tracked files that are not what the tree says since `setTestbed`, sorted. What is new beside them is not looked for. */
export async function alteredFiles(git: Git, testbed: Testbed): Promise<string[]> {
  const place = testbedPlace(testbed);
  // Git would wait on a pipe there; removing it is part of restoring.
  const blocking = await findBlockingRules(testbed.directory, await listFolders(git, place, testbed.indexFile), [
    '.gitattributes',
  ]);
  if (blocking.length > 0) return blocking.map((path) => decodePath(Buffer.from(path, 'latin1'))).toSorted();
  const differences = await listDifferences(git, place);
  return differences.map(({ path }) => decodePath(path)).toSorted();
}

/**
 * Makes altered tracked files what the tree says again; everything else that a command left stays, unless it stands in
 * their way. No link is followed. `paths` are those of `alteredFiles`. Throws when a file still differs.
 */
export async function restoreFiles(git: Git, testbed: Testbed, tree: string, paths: readonly string[]): Promise<void> {
  const root = Buffer.from(testbed.directory);
  const cleared = new Set<string>();
  for (const path of paths) await clearWay(root, path, cleared);
  await runGit(git, testbedPlace(testbed), { args: ['read-tree', '-u', '--reset', tree] });
  await settleIndex(testbed.indexFile);
  const [left] = await alteredFiles(git, testbed);
  if (left !== undefined) throw notTheTree(tree, left);
}

/** Removes the file, and whatever stands where its folders belong: Git would look through a link there. */
async function clearWay(root: Buffer, path: string, cleared: Set<string>): Promise<void> {
  const parts = path.split('/');
  for (const depth of parts.keys()) {
    const name = parts.slice(0, depth + 1).join('/');
    if (cleared.has(name)) continue;
    cleared.add(name);
    const place = joinBytes(root, encodePath(name));
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (depth < parts.length - 1 && stats.isDirectory()) openUp(place, stats.mode);
    else await removeEntry(place);
  }
}

function testbedPlace(testbed: Testbed): GitPlace {
  return hostPlace(testbed.workspace, testbed.directory, testbed.indexFile);
}

type Visit = (path: Buffer) => Promise<void>;

/** Hands over everything that is not tracked, a whole directory as one. Its own `.git` is left out of it. */
async function sweep(root: string, tracked: TrackedPaths, visit: Visit): Promise<void> {
  await sweepDirectory({ root: Buffer.from(root), tracked, visit, breath: new Breath() }, '');
}

interface Sweep {
  readonly root: Buffer;
  readonly tracked: TrackedPaths;
  readonly visit: Visit;
  readonly breath: Breath;
}

async function sweepDirectory(sweep: Sweep, directory: string): Promise<void> {
  const { root, tracked, visit, breath } = sweep;
  await breath.take();
  const path = directory === '' ? root : joinBytes(root, Buffer.from(directory, 'latin1'));
  openUp(path, lstatSync(path).mode);
  for (const entry of readdirSync(path, { withFileTypes: true, encoding: 'latin1' as BufferEncoding }) as Dirent[]) {
    if (directory === '' && entry.name === '.git') continue;
    const name = directory === '' ? entry.name : `${directory}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    if (isDirectory && (tracked.directories.has(name) || tracked.submodules.has(name)))
      await sweepDirectory(sweep, name);
    else if (isDirectory || !tracked.files.has(name) || !(entry.isFile() || entry.isSymbolicLink())) {
      await visit(joinBytes(root, Buffer.from(name, 'latin1')));
    }
  }
}

/** The index is the tree, the files are the index, and there is nothing else. Answers what is tracked. */
async function checkExactness(git: Git, testbed: Testbed, tree: string): Promise<TrackedPaths> {
  const place = testbedPlace(testbed);
  const [inIndex, onDisk, tracked] = await Promise.all([
    runGit(git, place, { args: ['diff-index', '--cached', '--name-only', '-z', '--no-renames', tree] }),
    runGit(git, place, { args: ['diff-files', '--name-only', '-z', '--ignore-submodules=all'] }),
    listTracked(git, place),
  ]);
  const left: string[] = [];
  await sweep(testbed.directory, tracked, async (path) => void left.push(decodePath(path)));
  const [different] = [...splitRecords(inIndex.stdout), ...splitRecords(onDisk.stdout)];
  if (different !== undefined) throw notTheTree(tree, decodePath(different));
  if (left.length > 0) throw notTheTree(tree, left[0]);
  return tracked;
}

function notTheTree(tree: string, example = ''): RemitError {
  const message = `the testbed could not be made to hold tree ${tree}: ${visibleLine(example)} differs`;
  return new RemitError('internal_error', message);
}

/** Made anew each time: what ran in the testbed before may have changed it. */
async function giveRepository(git: Git, testbed: Testbed): Promise<void> {
  const { workspace, directory } = testbed;
  const path = join(directory, '.git');
  await removeEntry(path);
  const configuration = await readConfiguration(git, testbedPlace(testbed));
  const core = Object.fromEntries(
    ['autocrlf', 'eol'].flatMap((key) => {
      const value = lastValue(configuration, `core.${key}`);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  await createPrivateDirectory({
    path,
    objectFormat: workspace.repository.objectFormat,
    borrow: workspace.objectDirectories,
    head: workspace.base,
    carried: {
      core,
      globalAttributes: undefined,
      infoAttributes: undefined,
      globalExcludes: undefined,
      infoExcludes: undefined,
      shallow: undefined,
    },
  });
  chmodSync(path, 0o700);
  await copyFile(testbed.indexFile, join(path, 'index'));
}
