import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RemitError } from '../../base/index.ts';
import { locateExecutable } from '../../process/index.ts';

/**
 * The absolute path that a client should start: the `remit` that PATH finds when it leads to this very program, since such a link
 * stays right when the checkout moves; else this program's own `bin/remit`. Never the bare name: a client that was started from a
 * desktop has another PATH, and in whatever folder it stands PATH would decide what runs.
 */
export function ownProgram(searchPath: string): string {
  const own = findOwn(dirname(fileURLToPath(import.meta.url)));
  const found = locateExecutable('remit', searchPath);
  return found !== undefined && realpathSync(found) === realpathSync(own) ? found : own;
}

/** Up from wherever this file lies: in the source or in the bundle. */
function findOwn(folder: string): string {
  const path = join(folder, 'bin', 'remit');
  if (existsSync(path)) return path;
  if (dirname(folder) === folder) throw new RemitError('internal_error', 'bin/remit does not stand above this program');
  return findOwn(dirname(folder));
}
