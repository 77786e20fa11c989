/** Where the programs that `interop/package.json` pins are installed, and in which version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const INTEROP = dirname(dirname(fileURLToPath(import.meta.url)));

/** A path below `interop/node_modules`, absolute. */
export function installed(path: string): string {
  return join(INTEROP, 'node_modules', path);
}

/** The installed version of a package, or nothing when `make interop` has not run. */
export function installedVersion(packageName: string): string | undefined {
  const manifest = installed(join(packageName, 'package.json'));
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}
