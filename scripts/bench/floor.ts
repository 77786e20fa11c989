/** What Git alone needs for the same: the floor. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Times } from './measure.ts';
import { CHANGED_FILE, type Place } from './place.ts';
import { CHECK } from './server.ts';

export const FLOOR_DELEGATE = 'git worktree add';
export const FLOOR_FINALIZE = 'git add, write-tree, check, commit-tree';

/** The worktree stands afterwards, with its one file changed. */
export async function floorDelegate(place: Place, round: number, times: Times): Promise<string> {
  const worktree = join(place.directory, `floor-${round}`);
  const args = ['worktree', 'add', '-q', '--no-track', '-b', `floor-${round}`, worktree, 'main'];
  await times.time(FLOOR_DELEGATE, () => place.git(...args));
  writeFileSync(join(worktree, CHANGED_FILE), `changed in round ${round}\n`);
  return worktree;
}

/** A fresh index, so every file is hashed; the check runs unconfined. */
export async function floorFinalize(place: Place, worktree: string, round: number, times: Times): Promise<void> {
  const env = { GIT_INDEX_FILE: join(place.directory, `floor-${round}.index`) };
  const git = (...args: string[]) => place.run('git', args, { cwd: worktree, env });
  const base = place.git('rev-parse', 'main');
  const [program, ...args] = CHECK;
  await times.time(FLOOR_FINALIZE, () => {
    git('read-tree', 'HEAD');
    git('add', '-A');
    const tree = git('write-tree');
    place.run(program, args, { cwd: worktree });
    const commit = git('commit-tree', tree, '-p', base, '-m', 'Floor');
    git('update-ref', `refs/heads/floor-${round}`, commit, base);
  });
  rmSync(env.GIT_INDEX_FILE);
}

export function removeFloor(place: Place, worktree: string): void {
  place.git('worktree', 'remove', '--force', worktree);
}
