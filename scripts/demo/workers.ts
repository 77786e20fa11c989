/** Real workers that the demo can use. Each is pointed at the scripted model by its own configuration, in a home of its own. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFiles } from '../../interop/shared/files.ts';
import { reasonixHome } from '../../interop/shared/reasonix-home.ts';
import type { ScriptedTurn } from '../../test/model/script.ts';
import { TURNS_OF_BUNDLED_WORKER, TURNS_OF_OTHERS } from './example-repository.ts';

export interface DemoWorker {
  /** Shown to the reader: which program it is. */
  readonly title: string;
  /** What the model is made to say. */
  readonly turns: readonly ScriptedTurn[];
  /** Its member of `workers` in Remit's configuration. */
  entry(modelBaseUrl: string): Record<string, unknown>;
  writeHome(home: string, modelBaseUrl: string): void;
}

const interop = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'interop');

export const DEMO_WORKERS: Record<string, () => DemoWorker> = { builtin, reasonix };

function builtin(): DemoWorker {
  return {
    title: 'the bundled one',
    turns: TURNS_OF_BUNDLED_WORKER,
    entry: (modelBaseUrl) => ({
      adapter: 'builtin',
      model: 'openai-compatible:scripted',
      baseUrl: `${modelBaseUrl}/v1`,
    }),
    writeHome: () => {},
  };
}

function reasonix(): DemoWorker {
  const require = createRequire(join(interop, 'package.json'));
  const { version } = require('reasonix/package.json') as { version: string };
  const native = join(interop, `node_modules/@reasonix/cli-${process.platform}-${process.arch}/bin/reasonix`);
  const launcher = join(interop, 'node_modules/.bin/reasonix');
  return {
    title: `Reasonix ${version}`,
    turns: TURNS_OF_OTHERS,
    entry: () => ({ adapter: 'reasonix', command: [existsSync(native) ? native : launcher, 'acp'] }),
    writeHome: (home, modelBaseUrl) => writeFiles(home, reasonixHome(modelBaseUrl)),
  };
}
