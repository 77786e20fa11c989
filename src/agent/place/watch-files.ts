import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decodePath, encodePath } from '../../base/index.ts';
import { runProcess } from '../../process/index.ts';
import type { CommandBox } from './command-box.ts';
import type { TouchedFile } from './place.ts';

/** What each file was at one moment: enough to know that it is another, whatever its times were set to. */
export type FileStates = ReadonlyMap<string, string>;

/** The times of files are those of the last tick of a coarse clock. */
const CLOCK_MS = 50;
const LISTING_MS = 60_000;
const LISTING_BYTES = 64 * 1024 * 1024;

/**
 * The files that a change of counts: what Git tracks and what is new without being ignored; all but installed packages where
 * there is no Git. Git runs in the command's box, since the repository says which programs Git starts.
 */
export async function fileStates(root: string, box: CommandBox): Promise<FileStates> {
  const states = new Map<string, string>();
  for (const path of (await pathsByGit(root, box)) ?? pathsOnDisk(root)) {
    const state = stateOf(Buffer.concat([Buffer.from(`${root}/`), encodePath(path)]));
    if (state !== undefined) states.set(path, state);
  }
  return states;
}

export function touchedFiles(before: FileStates, after: FileStates): TouchedFile[] {
  const touched: TouchedFile[] = [];
  for (const [path, state] of after) {
    const earlier = before.get(path);
    if (earlier === undefined) touched.push({ path, change: 'created' });
    else if (earlier !== state) touched.push({ path, change: 'modified' });
  }
  for (const path of before.keys()) if (!after.has(path)) touched.push({ path, change: 'deleted' });
  return touched;
}

/** Files that were made, changed or moved at that moment or later; of what Git tracks also those that are not there. */
export async function touchedSince(root: string, box: CommandBox, moment: number): Promise<TouchedFile[]> {
  const touched: TouchedFile[] = [];
  for (const path of (await pathsByGit(root, box)) ?? pathsOnDisk(root)) {
    const facts = lstatSync(Buffer.concat([Buffer.from(`${root}/`), encodePath(path)]), { throwIfNoEntry: false });
    if (facts === undefined) touched.push({ path, change: 'deleted' });
    else if (facts.ctimeMs >= moment - CLOCK_MS) touched.push({ path, change: 'modified' });
  }
  return touched;
}

async function pathsByGit(root: string, box: CommandBox): Promise<string[] | undefined> {
  const git = ['git', '-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { outcome, stdout } = await runProcess({
    argv: [box.launcher, ...box.options, '--chdir', root, '--', ...git],
    cwd: '/',
    env: {},
    timeoutMs: LISTING_MS,
    maxOutputBytes: LISTING_BYTES,
  });
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0 || stdout.truncated) return undefined;
  return splitAtNul(stdout.bytes);
}

function splitAtNul(bytes: Buffer): string[] {
  const paths: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    paths.push(decodePath(bytes.subarray(start, end < 0 ? bytes.length : end)));
    start = end < 0 ? bytes.length : end + 1;
  }
  return paths;
}

/** Links are listed and not followed. */
function pathsOnDisk(root: string, folder: string = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.git' || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pathsOnDisk(root, path) : [relative(root, path)];
  });
}

/** The change time is the system's own: a command can set the other times, not this one. */
function stateOf(path: Buffer): string | undefined {
  try {
    const { ino, mode, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return [ino, mode, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}
