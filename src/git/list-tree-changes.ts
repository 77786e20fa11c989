import { decodePath } from '../base/index.ts';
import { splitRecords } from './configuration.ts';
import type { Git } from './open-git.ts';
import { runGit } from './run-git.ts';
import { objectPlace, type Workspace } from './workspace.ts';

/** One path in which two trees differ. */
export interface TreeChange {
  readonly path: string;
  /** Where a renamed file was before. */
  readonly oldPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed';
  /** `000000` where there is nothing. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldObject: string;
  readonly newObject: string;
}

const STATUS: Readonly<Record<string, TreeChange['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
};

/** Paths that differ, without looking for renames. */
export async function listTreeChanges(git: Git, workspace: Workspace, from: string, to: string): Promise<TreeChange[]> {
  const { stdout } = await runGit(git, objectPlace(workspace), {
    args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to],
  });
  return parseRawRecords(splitRecords(stdout)).changes;
}

/** `:oldmode newmode oldhash newhash status NUL path NUL [path NUL]`; ends at the first record of another kind. */
export function parseRawRecords(records: readonly Buffer[]): { changes: TreeChange[]; rest: readonly Buffer[] } {
  const changes: TreeChange[] = [];
  let at = 0;
  for (; at < records.length; ) {
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(records[at]?.toString('latin1') ?? '');
    if (match === null) break;
    const [, oldMode = '', newMode = '', oldObject = '', newObject = '', letter = ''] = match;
    const isRename = letter === 'R';
    const path = decodePath(records[at + (isRename ? 2 : 1)] ?? Buffer.alloc(0));
    changes.push({
      path,
      ...(isRename ? { oldPath: decodePath(records[at + 1] ?? Buffer.alloc(0)) } : {}),
      status: STATUS[letter] ?? 'modified',
      oldMode,
      newMode,
      oldObject,
      newObject,
    });
    at += isRename ? 3 : 2;
  }
  return { changes, rest: records.slice(at) };
}
