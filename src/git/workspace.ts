import { join } from 'node:path';
import type { Repository } from './repository.ts';
import type { GitPlace } from './run-git.ts';

/** The host's own view of a task's worktree. Everything but `worktree` stands in `hostDirectory`, which no worker may reach. */
export interface Workspace {
  readonly repository: Repository;
  /** Real path of the worktree. */
  readonly worktree: string;
  readonly base: string;
  readonly hostDirectory: string;
  /** Git directory that only the host writes. New objects of unreviewed work are in its `objects`. */
  readonly gitDirectory: string;
  /** The index as it was right after checkout; never written again, so its times and sizes can be trusted. */
  readonly indexFile: string;
  /** The base's ignore rules, the user's own included. */
  readonly ignoreFile: string;
  /** Directories that must be readable for Git to read the work: the host's and the user's. */
  readonly objectDirectories: readonly string[];
  /**
   * What the user's object directory borrows from: truly object directories, but where they lie is the choice of whoever made the
   * repository. Show one to a confined program only where that shows nothing that is to be hidden.
   */
  readonly borrowedDirectories: readonly string[];
}

/** Calls on files in the worktree, with the host's Git directory and an index of the host's. */
export function worktreePlace(workspace: Workspace, indexFile: string): GitPlace {
  return hostPlace(workspace, workspace.worktree, indexFile);
}

/** Calls with the host's Git directory on any folder of files. */
export function hostPlace(workspace: Workspace, workTree: string, indexFile: string): GitPlace {
  return {
    cwd: workTree,
    variables: { GIT_DIR: workspace.gitDirectory, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: indexFile },
    configuration: 'none',
    settings: [['checkout.workers', '0']],
  };
}

/** Calls that read objects only. There is no worktree and no index, so no attribute of the work can change the answer. */
export function objectPlace(workspace: Workspace): GitPlace {
  return {
    cwd: workspace.gitDirectory,
    variables: {
      GIT_DIR: workspace.gitDirectory,
      GIT_WORK_TREE: join(workspace.gitDirectory, 'refs'),
      GIT_INDEX_FILE: join(workspace.gitDirectory, 'no-index'),
    },
    configuration: 'none',
  };
}
