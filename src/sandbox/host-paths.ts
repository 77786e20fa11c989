import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { decodePath, encodePath } from '../base/index.ts';

/** Looks at the host's disk. Paths are Remit's path strings, so that a name of any bytes can be confined. */

export type PathKind = 'directory' | 'file' | 'missing';

/** The real path, or `undefined` when there is none or it may not be looked at (then the box may not either). */
export function realPath(path: string): string | undefined {
  try {
    return decodePath(realpathSync.native(encodePath(path), { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
}

/** What stands at a path, links followed; sockets and devices count as files. */
export function kindOf(path: string): PathKind {
  try {
    return statSync(encodePath(path)).isDirectory() ? 'directory' : 'file';
  } catch {
    return 'missing';
  }
}

export function isSocket(path: string): boolean {
  try {
    return lstatSync(encodePath(path)).isSocket();
  } catch {
    return false;
  }
}

/** Whether anything below a folder can be reached. */
export function canEnter(path: string): boolean {
  return permits(path, constants.X_OK);
}

export function canRead(path: string): boolean {
  return permits(path, constants.R_OK);
}

function permits(path: string, mode: number): boolean {
  try {
    accessSync(encodePath(path), mode);
    return true;
  } catch {
    return false;
  }
}

/** Whether `path` is `folder` or lies below it. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
