import { realpath } from 'node:fs/promises';
import { openCommandBox } from './command-box.ts';
import { localCommands } from './local-commands.ts';
import { localFiles } from './local-files.ts';
import type { Place } from './place.ts';

/** What a command may know of the worker's surroundings. Nothing here can hold a key, load a library or start a program. */
const PASSED = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'JAVA_HOME', 'GOROOT', 'VIRTUAL_ENV'];

/**
 * This machine as the place of the tools, for an ACP host without services of its own. `root` may be named through links.
 * Throws when there is no such folder.
 */
export async function openLocalPlace(root: string, environment: Readonly<NodeJS.ProcessEnv>): Promise<Place> {
  const real = await realpath(root);
  const passed = PASSED.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const probe = await openCommandBox({
    root: real,
    home: environment['HOME'],
    searchPath: environment['PATH'] ?? '',
    environment: Object.fromEntries(passed),
  });
  return {
    root: real,
    files: localFiles(real),
    commands: probe.kind === 'box' ? localCommands(real, probe.box) : { kind: 'withheld', reason: probe.reason },
  };
}
