import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { familyOf } from './adapters.ts';
import { CODEX_HOME, CONFIG, DATA, REASONIX_HOME } from './families/family.ts';
import type { AgentProgram } from './options.ts';

/** A configuration or login file; more is not one. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A task's private home for one worker. */
export interface WorkerHome {
  /** Files that are copied into it, relative to the home. Everything else of the user's home stays unseen. */
  readonly files: readonly string[];
  /** Variables that point the agent at it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files of a repository that could run code in this agent or lift its asking; the profile hides them. */
  readonly repositorySettings: readonly string[];
  /** Variables of the host that this agent sees without being told to: its own key and endpoint. */
  readonly passes: readonly string[];
}

/** What a worker's private home holds and which variables point at it. `home` is its absolute path. */
export function describeWorkerHome(program: AgentProgram, home: string): WorkerHome {
  const { files, repositorySettings, passes } = familyOf(program);
  return {
    files: files.map((file) => join(file.root.inHome, file.path)),
    environment: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, CONFIG.inHome),
      XDG_DATA_HOME: join(home, DATA.inHome),
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CACHE_HOME: join(home, '.cache'),
      REASONIX_HOME: join(home, REASONIX_HOME.inHome),
      CODEX_HOME: join(home, CODEX_HOME.inHome),
    },
    repositorySettings,
    passes,
  };
}

/**
 * Makes a task's private home with copies of the files that the agent needs. All or nothing, mode 0700. A home that is
 * there already is left as it is: it holds the session to resume, and the worker could write it meanwhile, so nothing is
 * written through it again. Files that do not exist, are too large, are no ordinary files, or lead out of the folder
 * that they belong to are left out; their names are answered.
 */
export async function prepareWorkerHome(
  program: AgentProgram,
  places: {
    readonly userHome: string;
    readonly home: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Promise<{ readonly leftOut: readonly string[] }> {
  if (await holdsAnything(places.home)) return { leftOut: [] };
  const draft = `${places.home}.${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const leftOut = await copyFiles(program, places, draft);
    await rename(draft, places.home);
    return { leftOut };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function copyFiles(
  program: AgentProgram,
  places: { userHome: string; environment: Readonly<Record<string, string | undefined>> },
  draft: string,
): Promise<string[]> {
  const leftOut: string[] = [];
  for (const file of familyOf(program).files) {
    const named = file.root.variable === undefined ? undefined : places.environment[file.root.variable];
    const root = named !== undefined && isAbsolute(named) ? named : join(places.userHome, file.root.inHome);
    const target = join(draft, file.root.inHome, file.path);
    const content = await readInside([root, places.userHome], join(root, file.path));
    if (content === 'refused') leftOut.push(join(file.root.inHome, file.path));
    if (!Buffer.isBuffer(content)) continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content, { mode: 0o600, flag: 'wx' });
  }
  return leftOut;
}

/** The bytes of an ordinary file, links followed only as far as they stay inside one of the folders. */
async function readInside(folders: readonly string[], path: string): Promise<Buffer | 'missing' | 'refused'> {
  try {
    const real = await realpath(path);
    const roots = await Promise.all(folders.map((folder) => realpath(folder)));
    if (!roots.some((root) => isInside(root, real))) return 'refused';
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      return facts.isFile() && facts.size <= MAX_FILE_BYTES ? await file.readFile() : 'refused';
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'refused';
  }
}

function isInside(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '' && inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside);
}

async function holdsAnything(directory: string): Promise<boolean> {
  return readdir(directory).then(
    (names) => names.length > 0,
    () => false,
  );
}
