import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bundled worker's program, absolute: a bundle of its own, or this source. */
export function workerProgramPath(): string {
  return programPath('worker.mjs', './main.ts');
}

/** The program that changes files for the host, absolute. */
export function fileHelperPath(): string {
  return programPath('file-helper.mjs', './file-helper/main.ts');
}

/** A bundle lies beside the chunk that this is bundled into, or above it. */
function programPath(bundle: string, source: string): string {
  const here = import.meta.url;
  const candidates = here.endsWith('.ts') ? [source] : [`./${bundle}`, `../${bundle}`];
  const paths = candidates.map((name) => fileURLToPath(new URL(name, here)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${bundle} does not stand beside this program: build it again`);
  return found;
}
