import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { decodePath, encodePath, RemitError } from '../base/index.ts';
import { compileScope, type Scope, scopesOverlap, type TaskContractV1 } from '../contract/index.ts';
import { listPaths } from './landing.ts';

/** One mount each; a folder that would need more is hidden whole, though the scope reaches into it. */
const MAX_HIDDEN = 200;
/** Entries of one folder of settings that are looked at; a worker may have filled it. */
const MAX_LOOKS = 5_000;

interface Search {
  readonly worktree: string;
  readonly contract: TaskContractV1;
  readonly scope: Scope;
  looks: number;
}

/**
 * Settings of the repository that could run code in an agent or lift its asking, less what the scope reaches into, since
 * the contract is about that. Relative to the worktree; a folder that lies partly in scope is answered by its other parts.
 * Throws `unsupported_platform` for links: hiding one would hide what it leads to, and show the link.
 */
export function settingsToHide(worktree: string, settings: readonly string[], contract: TaskContractV1): string[] {
  const hidden = settings.flatMap((path) => {
    const search = { worktree, contract, scope: compileScope(contract), looks: 0 };
    const found = outOfScope(path, search);
    return found.length > MAX_HIDDEN || search.looks > MAX_LOOKS ? [path] : found;
  });
  const linked = hidden.filter((path) => entryAt(worktree, path)?.isSymbolicLink());
  if (linked.length > 0) {
    throw new RemitError(
      'unsupported_platform',
      `Settings of the repository for this agent are symbolic links, which cannot be hidden from it: ${listPaths(linked)}. Choose another worker, or a base without them.`,
    );
  }
  return hidden;
}

/** Of the settings those that are not hidden, or not wholly: the scope reaches into them, and so the agent takes them. */
export function settingsInSight(worktree: string, settings: readonly string[], hidden: readonly string[]): string[] {
  return settings.filter((path) => entryAt(worktree, path) !== undefined && !hidden.includes(path));
}

function outOfScope(path: string, search: Search): string[] {
  search.looks += 1;
  const entry = entryAt(search.worktree, path);
  if (entry === undefined || search.looks > MAX_LOOKS) return [];
  if (!entry.isDirectory()) return search.scope.classify(path).kind === 'in_scope' ? [] : [path];
  if (!reachesInto(path, search.contract)) return [path];
  return namesIn(search.worktree, path).flatMap((name) => outOfScope(`${path}/${name}`, search));
}

function reachesInto(folder: string, contract: TaskContractV1): boolean {
  return scopesOverlap(contract, { write_scope: [folder, `${folder}/**`], forbidden_scope: [] }) !== undefined;
}

function entryAt(worktree: string, path: string): Stats | undefined {
  return lstatSync(encodePath(join(worktree, path)), { throwIfNoEntry: false });
}

function namesIn(worktree: string, path: string): string[] {
  return readdirSync(encodePath(join(worktree, path)), { encoding: 'buffer' }).map(decodePath);
}
