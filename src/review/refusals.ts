import { posix } from 'node:path';
import { visibleLine } from '../base/index.ts';
import type { Scope } from '../contract/index.ts';
import type { WorkChange } from '../git/index.ts';
import type { SnapshotVerdict } from '../task/index.ts';

/** Largest changed file in bytes; a larger one is no source code that a person reviews. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

interface Rule {
  readonly phase: string;
  readonly reason: string;
  readonly refuses: (change: WorkChange, scope: Scope) => boolean;
}

/** Changes in scope that may not be taken, whatever the contract says. The first rule that matches names the pause. */
const RULES: readonly Rule[] = [
  {
    phase: 'nested_repository',
    reason: 'A Git repository inside the worktree cannot be part of a commit; remove its .git folder',
    refuses: (change) => change.entry === 'nested_repository',
  },
  {
    phase: 'submodule_change',
    reason: 'A submodule may not be changed by a task; restore it',
    refuses: (change) => change.entry === 'submodule',
  },
  {
    phase: 'unsupported_file',
    reason: 'Only regular files and links can be committed; remove the pipe, socket or device',
    refuses: (change) => change.entry === 'special',
  },
  {
    phase: 'link_out_of_tree',
    reason:
      'A symbolic link may only lead to a place inside the repository that the contract does not forbid; change or remove it',
    refuses: leadsOut,
  },
  {
    phase: 'file_too_large',
    reason: 'A changed file is larger than 10 MiB; make it smaller or leave it out',
    refuses: (change) => change.change !== 'deleted' && (change.sizeBytes ?? 0) > MAX_FILE_BYTES,
  },
];

export function findRefusal(changes: readonly WorkChange[], scope: Scope): SnapshotVerdict | undefined {
  for (const rule of RULES) {
    const refused = changes.filter((change) => rule.refuses(change, scope));
    if (refused.length === 0) continue;
    return {
      kind: 'refused',
      phase: rule.phase,
      reason: rule.reason,
      paths: refused.map(({ path }) => visibleLine(path)),
    };
  }
  return undefined;
}

/** A link's target as text, never followed: absolute, above the root, into `.git`, or into what the contract forbids. */
function leadsOut(change: WorkChange, scope: Scope): boolean {
  if (change.entry !== 'symlink' || change.change === 'deleted') return false;
  const target = change.linkTarget ?? '';
  if (target === '' || target.startsWith('/') || target.includes('\0')) return true;
  const path = posix.normalize(posix.join(posix.dirname(change.path), target)).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../')) return true;
  if (path.split('/')[0]?.toLowerCase() === '.git') return true;
  return scope.classify(path).kind === 'forbidden';
}
