import { type Dirent, readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { decodePath, encodePath } from '../base/index.ts';
import { readBounded } from './bounded-file.ts';
import { Breath } from './breath.ts';

/** Git follows five steps. */
const MAX_DEPTH = 5;
const MAX_DIRECTORIES = 32;

/**
 * What an object directory borrows from, directly and further on (gitrepository-layout(5), `objects/info/alternates`): real
 * paths of what truly are object directories and hold nothing else. Whoever made the repository chose the lines, so a line
 * that names anything else, such as somebody's keys, is left out, as is one that leads nowhere.
 */
export async function listBorrowed(objects: string): Promise<string[]> {
  const found = new Set<string>();
  await follow(objects, found, MAX_DEPTH);
  found.delete(objects);
  return [...found];
}

async function follow(objects: string, found: Set<string>, depth: number): Promise<void> {
  const alternates = await readBounded(join(objects, 'info', 'alternates'));
  if (depth === 0 || alternates.kind !== 'file') return;
  for (const line of decodePath(alternates.bytes).split('\n')) {
    if (found.size >= MAX_DIRECTORIES) return;
    // Git unquotes a line that begins with a quotation mark; only a path with a newline needs that.
    if (line === '' || line.startsWith('#') || line.startsWith('"')) continue;
    const named = encodePath(isAbsolute(line) ? line : join(objects, line));
    const real = await realpath(named, { encoding: 'buffer' }).catch(() => undefined);
    const path = real === undefined ? undefined : decodePath(real);
    if (path === undefined || found.has(path) || !(await isObjectDirectory(path))) continue;
    found.add(path);
    await follow(path, found, depth - 1);
  }
}

const LOOSE = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|tmp_obj_\w+)$/;
const PACK =
  /^(?:pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap|keep|promisor|mtimes)|multi-pack-index(?:-[0-9a-f]{40,64}\.(?:bitmap|rev))?|\.?tmp[-_][\w.-]+)$/;
const INFO = /^(?:alternates|http-alternates|packs|commit-graph)$/;
const GRAPH = /^(?:commit-graph-chain|graph-[0-9a-f]{40,64}\.graph|tmp_graph_\w+)$/;

/** Whether a folder has the shape of a Git object directory and not one entry that Git would not have put there. */
async function isObjectDirectory(path: string): Promise<boolean> {
  const breath = new Breath();
  const entries = readEntries(path);
  if (entries === undefined || !entries.some(({ name }) => name === 'pack' || name === 'info')) return false;
  for (const entry of entries) {
    await breath.take();
    if (!entry.isDirectory()) return false;
    const inside = join(path, entry.name);
    const isPlain =
      entry.name === 'pack'
        ? holdsOnly(inside, PACK)
        : entry.name === 'info'
          ? isInfo(inside)
          : /^[0-9a-f]{2}$/.test(entry.name) && holdsOnly(inside, LOOSE);
    if (!isPlain) return false;
  }
  return true;
}

function isInfo(path: string): boolean {
  const entries = readEntries(path) ?? [];
  return entries.every((entry) =>
    entry.name === 'commit-graphs'
      ? entry.isDirectory() && holdsOnly(join(path, entry.name), GRAPH)
      : entry.isFile() && INFO.test(entry.name),
  );
}

function holdsOnly(path: string, names: RegExp): boolean {
  return readEntries(path)?.every((entry) => entry.isFile() && names.test(entry.name)) === true;
}

function readEntries(path: string): Dirent[] | undefined {
  try {
    return readdirSync(encodePath(path), { withFileTypes: true, encoding: 'latin1' as BufferEncoding }) as Dirent[];
  } catch {
    return undefined;
  }
}
