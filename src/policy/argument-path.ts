import { visibleLine } from '../base/index.ts';
import { isCredentialPath } from './credential-path.ts';
import { type Denial, hardDenial } from './decision.ts';

/** Where a command runs: its folder relative to the worktree, and the worktree's own absolute path when known. */
export interface Place {
  readonly cwd: string;
  readonly worktree?: string | undefined;
}

/** `''` for the root; without `.` segments and a slash at the end. `undefined` when it is no folder inside the worktree. */
export function normalizeCwd(cwd: string): string | undefined {
  const resolved = resolveInside('', cwd === '' ? '.' : cwd);
  return resolved.kind === 'inside' ? resolved.path : undefined;
}

/**
 * Refuses an argument that names a credential or leaves the worktree. Purely lexical: links are the sandbox's concern,
 * but `..` behind a named folder is refused too, since there the text and the disk can disagree.
 */
export function denyArgumentPath(argument: string, place: Place): Denial | undefined {
  const underWorktree = pathUnder(argument, place.worktree);
  const resolved = underWorktree === undefined ? resolveInside(place.cwd, argument) : resolveInside('', underWorktree);
  if (resolved.kind === 'outside') {
    return hardDenial(
      'outside_worktree',
      `paths outside the worktree (${visibleLine(argument)})`,
      'Name the path relative to the cwd, inside the worktree, without `~` and without `..` after a folder.',
    );
  }
  return isCredentialPath(resolved.path) ? denyCredential(argument) : undefined;
}

export function denyCredential(path: string): Denial {
  return hardDenial(
    'credential_path',
    `credential paths (${visibleLine(path)})`,
    'Work without this file; if the task needs its format, an example file such as `.env.example` may be read.',
  );
}

/** Paths that every program may name: they hold nothing. */
const HARMLESS_DEVICES: ReadonlySet<string> = new Set(['/dev/null']);

type Resolved = { kind: 'inside'; path: string } | { kind: 'outside' };

function resolveInside(cwd: string, path: string): Resolved {
  if (HARMLESS_DEVICES.has(path)) return { kind: 'inside', path: '' };
  if (path.startsWith('/') || /^~([/a-zA-Z_]|$)/.test(path)) return { kind: 'outside' };
  const resolved = cwd.split('/').filter((segment) => segment !== '');
  let named = false;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') {
      named = true;
      resolved.push(segment);
    } else if (named || resolved.pop() === undefined) {
      return { kind: 'outside' };
    }
  }
  return { kind: 'inside', path: resolved.join('/') };
}

function pathUnder(path: string, worktree: string | undefined): string | undefined {
  if (worktree === undefined) return undefined;
  if (path === worktree) return '.';
  return path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : undefined;
}
