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
  const files = localFiles(real);
  // A command may write everything below the root.
  const own = await Promise.all([environment['HOME'], environment['XDG_STATE_HOME']].map(realFolder));
  if (own.some((folder) => folder !== undefined && `${folder}/`.startsWith(`${real}/`))) {
    const reason = 'this folder holds its user’s home, with what starts by itself and the sessions of the worker';
    return { root: real, files, commands: { kind: 'withheld', reason } };
  }
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
    files,
    commands: probe.kind === 'box' ? localCommands(real, probe.box) : { kind: 'withheld', reason: probe.reason },
  };
}

async function realFolder(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : realpath(path).catch(() => undefined);
}
