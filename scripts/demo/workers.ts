/** Real workers that the demo can use. Each is pointed at the scripted model by its own configuration, in a home of its own. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFiles } from '../../interop/shared/files.ts';
import { reasonixHome } from '../../interop/shared/reasonix-home.ts';

export interface DemoWorker {
  /** Shown to the reader: which program it is. */
  readonly title: string;
  /** Its member of `workers` in Remit's configuration. */
  readonly entry: Record<string, unknown>;
  writeHome(home: string, modelBaseUrl: string): void;
}

const interop = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'interop');

export const DEMO_WORKERS: Record<string, () => DemoWorker> = { reasonix };

function reasonix(): DemoWorker {
  const require = createRequire(join(interop, 'package.json'));
  const { version } = require('reasonix/package.json') as { version: string };
  const native = join(interop, `node_modules/@reasonix/cli-${process.platform}-${process.arch}/bin/reasonix`);
  const launcher = join(interop, 'node_modules/.bin/reasonix');
  return {
    title: `Reasonix ${version}`,
    entry: { adapter: 'reasonix', command: [existsSync(native) ? native : launcher, 'acp'] },
    writeHome: (home, modelBaseUrl) => writeFiles(home, reasonixHome(modelBaseUrl)),
  };
}
