import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodePath, encodePath, truncateUtf8, visibleLine } from '../base/index.ts';
import type { ActionPath } from '../policy/index.ts';

const MAX_PATH_BYTES = 4_095;
const MAX_NAME_BYTES = 255;

/**
 * Where a path that an agent named really leads: links resolved, of what does not exist yet the nearest existing folder.
 * A path that cannot be followed (dangling link, loop, no permission, too long) is `unresolvable`; its unresolved text
 * never stands in for it. So a link to the outside, a sibling with the same prefix and `link/..` are seen for what they
 * are. `worktree` must be a real path.
 */
export async function resolveInWorktree(worktree: string, named: string, base = worktree): Promise<ActionPath> {
  const shown = truncateUtf8(visibleLine(named), 300);
  const refuse = (reason: string): ActionPath => ({ kind: 'unresolvable', shown, reason });
  const text = named.startsWith('file://') ? pathOfUrl(named) : named;
  const fault = text === undefined ? 'it is not a file URL of this machine' : shapeFault(text);
  if (text === undefined || fault !== undefined) return refuse(fault ?? '');
  const joined = isAbsolute(text) ? text : `${base}/${text}`;
  const physical = await follow(joined);
  if (physical.kind === 'fault') return refuse(physical.reason);
  if (text.includes('..')) {
    // Agents differ in whether `link/..` means the folder of the link or of its target: refuse where it matters.
    const lexical = await follow(resolve(joined));
    if (lexical.kind === 'fault' || lexical.path !== physical.path) return refuse('it goes up again behind a link');
  }
  const inside = relative(worktree, physical.path);
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return { kind: 'outside', shown };
  return { kind: 'inside', path: inside };
}

/** The entry of that name itself, which may be a link that leads elsewhere: only the folders before it are followed. */
export async function resolveEntry(worktree: string, named: string): Promise<ActionPath> {
  const name = named.slice(named.lastIndexOf('/') + 1);
  if (['', '.', '..'].includes(name) || !named.includes('/')) return resolveInWorktree(worktree, named);
  const folder = await resolveInWorktree(worktree, named.slice(0, -name.length));
  return folder.kind === 'inside' ? { kind: 'inside', path: join(folder.path, name) } : folder;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function shapeFault(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'it contains a NUL';
  if (path.startsWith('~')) return 'it begins with ~, which only a shell expands';
  const bytes = encodePath(path);
  if (decodePath(bytes) !== path) return 'it holds half a character';
  if (bytes.length > MAX_PATH_BYTES) return 'it is too long';
  const isTooLong = (name: string) => encodePath(name).length > MAX_NAME_BYTES;
  return path.split('/').some(isTooLong) ? 'a name in it is too long' : undefined;
}

type Followed = { kind: 'path'; path: string } | { kind: 'fault'; reason: string };

/** Walks the path as the kernel would; behind the first name that does not exist only plain names may follow. */
async function follow(path: string): Promise<Followed> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  let at = '/';
  for (const [index, name] of names.entries()) {
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = await step(join(at, name), index === names.length - 1);
    if (next.kind === 'fault') return next;
    if (next.kind === 'missing') {
      const rest = names.slice(index);
      if (rest.includes('..')) return { kind: 'fault', reason: 'it goes up from a folder that does not exist' };
      return { kind: 'path', path: join(at, ...rest) };
    }
    at = next.path;
  }
  return { kind: 'path', path: at };
}

async function step(path: string, isLast: boolean): Promise<Followed | { kind: 'missing' }> {
  try {
    const entry = await lstat(encodePath(path));
    if (entry.isSymbolicLink())
      return { kind: 'path', path: decodePath(await realpath(encodePath(path), { encoding: 'buffer' })) };
    if (!isLast && !entry.isDirectory())
      return { kind: 'fault', reason: 'it leads through something that is not a folder' };
    return { kind: 'path', path };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !(await isLink(path))) return { kind: 'missing' };
    return {
      kind: 'fault',
      reason: code === 'ENOENT' ? 'it leads through a dangling link' : `it cannot be followed (${code})`,
    };
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(encodePath(path)).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  );
}
