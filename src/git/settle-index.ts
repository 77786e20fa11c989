import { lstatSync, utimesSync, writeFileSync } from 'node:fs';
import { removeEntry } from './remove-directory.ts';
import type { Workspace } from './workspace.ts';

/**
 * Call right before a worker starts, when nothing but the host has ever touched the worktree. Files that were checked out
 * in the same second as the index was written would be read again by every scan, because their times alone cannot prove
 * that they are unchanged; from this moment on they can.
 */
export async function settleWorkspace(workspace: Workspace): Promise<void> {
  await settleIndex(workspace.indexFile);
}

/**
 * Dates an index to now. Git trusts an entry whose file is older than the index by a second; whoever changes the file
 * later gives it a later change time. Source: Documentation/technical/racy-git.txt of Git.
 */
export async function settleIndex(indexFile: string): Promise<void> {
  // The time that the disk gives, not the process's: the two can differ by a clock tick.
  const probe = `${indexFile}.now`;
  writeFileSync(probe, '');
  const { mtime } = lstatSync(probe);
  await removeEntry(probe);
  utimesSync(indexFile, mtime, mtime);
}
