import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * The absolute real path of a program, or `undefined`. A name is looked up in `searchPath` (default: this process's PATH);
 * an absolute path is checked as it is. Entries that are empty or relative are ignored: they would let a file in whatever
 * directory happens to be current, a worktree say, stand in for a host tool. A relative path is never found.
 */
export function findExecutable(name: string, searchPath: string = process.env['PATH'] ?? ''): string | undefined {
  const located = locateExecutable(name, searchPath);
  return located === undefined ? undefined : realpathSync(located);
}

/** The same without following links: a program of many names looks at the name that it was called by. */
export function locateExecutable(name: string, searchPath: string): string | undefined {
  if (name === '' || name.includes('\0')) return undefined;
  if (isAbsolute(name)) return isExecutableFile(name) ? name : undefined;
  if (name.includes('/')) return undefined;
  return searchPath
    .split(':')
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
    .find(isExecutableFile);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
