import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { RemitError, visibleLine } from '../base/index.ts';
import { requireTaskId } from './task-id.ts';

/** Where things lie in a state directory; all absolute. */
export interface StatePlaces {
  readonly stateDirectory: string;
  /** Remit's own log. */
  readonly logDirectory: string;
  /** The task's checkout, the only place here that a worker sees. */
  worktree(taskId: string): string;
  /** Everything else of a task; the following lie inside it. */
  task(taskId: string): string;
  /** Host only: index, quarantined objects, staging. */
  workspace(taskId: string): string;
  /** Host only: the checkout that verification runs on. */
  testbed(taskId: string): string;
  /** The agent's private home. */
  home(taskId: string): string;
  /** Output of the task's commands. */
  logs(taskId: string): string;
}

/** `$XDG_STATE_HOME/remit`, else `~/.local/state/remit`; macOS: `~/Library/Application Support/remit`. */
export function defaultStateDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const base = environment['XDG_STATE_HOME'];
  if (base && isAbsolute(base)) return join(base, 'remit');
  if (platform === 'darwin') return join(homeDirectory, 'Library', 'Application Support', 'remit');
  return join(homeDirectory, '.local', 'state', 'remit');
}

/**
 * Makes the directory and its parts (0700, missing parents too), checks that it is private to this user, and says where
 * things lie in it, by its real path: above it links are the system's own business (`/home` may be one), but the sandbox
 * mounts real paths only. Throws `invalid_request` for a link, a file, another user's directory, or one that others may write:
 * whoever can write there can swap an index or a database under a running task.
 */
export function openStateDirectory(directory: string): StatePlaces {
  makeWithParents(directory);
  requirePrivate(directory, lstatSync(directory));
  const real = realpathSync(directory);
  requirePrivate(directory, lstatSync(real));
  for (const name of ['logs', 'tasks', 'worktrees']) {
    const inner = join(real, name);
    mkdirSync(inner, { recursive: true, mode: 0o700 });
    requirePrivate(inner, lstatSync(inner));
  }
  return statePlaces(real);
}

/** Not by Node's own option for this: where the system makes no folders (in /proc, say) that tries for ever. */
function makeWithParents(directory: string): void {
  const missing: string[] = [];
  for (let at = directory; !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      if (code !== 'EEXIST') throw unusable(directory, `cannot be made (${code})`, error);
    }
  }
}

function statePlaces(stateDirectory: string): StatePlaces {
  const named = (folder: string, taskId: string) => {
    // It was validated long before; a path is still never built from a name that could leave its folder.
    requireTaskId(taskId);
    return join(stateDirectory, folder, taskId);
  };
  const task = (taskId: string) => named('tasks', taskId);
  return {
    stateDirectory,
    logDirectory: join(stateDirectory, 'logs'),
    worktree: (taskId) => named('worktrees', taskId),
    task,
    workspace: (taskId) => join(task(taskId), 'workspace'),
    testbed: (taskId) => join(task(taskId), 'testbed'),
    home: (taskId) => join(task(taskId), 'home'),
    logs: (taskId) => join(task(taskId), 'logs'),
  };
}

function requirePrivate(directory: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw unusable(directory, 'is a symbolic link: name the directory itself');
  if (!stats.isDirectory()) throw unusable(directory, 'is not a directory');
  const user = process.getuid?.();
  if (user !== undefined && stats.uid !== user) {
    throw unusable(directory, `belongs to another user (uid ${stats.uid}, Remit runs as ${user})`);
  }
  if ((stats.mode & 0o022) !== 0) {
    throw unusable(
      directory,
      'can be written by other users: run `chmod 700` on it, or choose another with the setting stateDir',
    );
  }
}

function unusable(directory: string, problem: string, cause?: unknown): RemitError {
  return new RemitError('invalid_request', `State directory ${visibleLine(directory)} ${problem}.`, { cause });
}
