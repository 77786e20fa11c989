import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findExecutable, runProcess } from '../../process/index.ts';

/** How a command of the worker is started: `options` of bubblewrap before the command's own argv. */
export interface CommandBox {
  readonly launcher: string;
  readonly options: readonly string[];
}

export type BoxProbe =
  | { readonly kind: 'box'; readonly box: CommandBox }
  | { readonly kind: 'none'; readonly reason: string };

export interface BoxOptions {
  /** The only folder that a command can write, besides temporary ones in memory. */
  readonly root: string;
  /** The user's home, which a command does not see, apart from the programs of `searchPath` in it. */
  readonly home: string | undefined;
  readonly searchPath: string;
  readonly environment: Readonly<Record<string, string>>;
}

const PROBE_MS = 10_000;
const SCRATCH = ['/tmp', '/var/tmp', '/run'];
/** Parts of /proc that root may write without any capability (core_pattern runs programs outside). */
const PROC_WRITABLE_BY_ROOT = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs', '/proc/acpi', '/proc/scsi'];
const READABLE_BY_ROOT = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers'];
const HOME_INSIDE = '/tmp/home';

/**
 * A process namespace of its own for each command: without it a command could write into the worker's own streams through
 * /proc and speak for it. With it go no network, a home without credentials, and no writing outside the repository. Tried once
 * here, since a system may have bubblewrap and still not allow it.
 */
export async function openCommandBox(options: BoxOptions): Promise<BoxProbe> {
  const launcher = findExecutable('bwrap', options.searchPath);
  if (launcher === undefined) {
    return none(
      'bubblewrap (bwrap) is not installed, and without a process namespace of its own a command could write into the worker’s own channel',
    );
  }
  const box = { launcher, options: boxOptions(options) };
  const probe = await runProcess({
    argv: [launcher, ...box.options, '--', '/bin/sh', '-c', 'exit 0'],
    cwd: '/',
    env: {},
    timeoutMs: PROBE_MS,
    maxOutputBytes: 1024,
  });
  const { outcome, stderr } = probe;
  if (outcome.kind === 'exited' && outcome.exitCode === 0) return { kind: 'box', box };
  return none(`bubblewrap does not work here: ${stderr.bytes.toString('utf8').trim() || outcome.kind}`);
}

function none(reason: string): BoxProbe {
  return { kind: 'none', reason };
}

function boxOptions({ root, home, searchPath, environment }: BoxOptions): string[] {
  const homes = [home, homeOfUser()].filter((path) => path !== undefined && path !== '/');
  // Where a home is reached through a link it is hidden where it really is.
  const emptied = [...new Set([...SCRATCH, ...homes].map(realPath))].filter((path) => path !== undefined);
  const isEmptied = (path: string) => emptied.some((folder) => path !== folder && path.startsWith(`${folder}/`));
  const kept = [...programFolders(searchPath), ...gitFolders(root)].filter(isEmptied);
  const git = join(root, '.git');
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ...(process.geteuid?.() === 0 ? ['--uid', '1000', '--gid', '1000'] : []),
    ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...(process.geteuid?.() === 0
      ? [
          ...PROC_WRITABLE_BY_ROOT.filter(existsSync).flatMap((path) => ['--ro-bind', path, path]),
          ...READABLE_BY_ROOT.filter(existsSync).flatMap((path) => ['--ro-bind', '/dev/null', path]),
        ]
      : []),
    ...emptied.flatMap((path) => ['--tmpfs', path]),
    ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ...['--dir', HOME_INSIDE],
    ...['--bind', root, root],
    // Git's own files say which programs Git runs, outside too.
    ...(existsSync(git) ? ['--ro-bind', git, git] : []),
    '--clearenv',
    ...Object.entries({ ...environment, HOME: HOME_INSIDE, TMPDIR: '/tmp' }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
  ];
}

/** Whatever HOME says; `undefined` for a user whom the system does not list. */
function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function isRealFolder(path: string): boolean {
  return realPath(path) === path;
}

function realPath(path = ''): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The folders of programs, and the libraries that stand beside some of them (`bin` and `lib` of one prefix). */
function programFolders(searchPath: string): string[] {
  const folders = searchPath.split(':').filter(isAbsolute).map(realPath);
  const real = folders.filter((path): path is string => path !== undefined);
  return [...new Set([...real, ...real.map((path) => join(dirname(path), 'lib')).filter(isRealFolder)])];
}

/** Of a linked worktree, whose `.git` is a file that names a folder of another repository: that repository's Git folder. */
function gitFolders(root: string): string[] {
  try {
    const [, named = ''] = /^gitdir: (.+)\n?$/.exec(readFileSync(join(root, '.git'), 'utf8')) ?? [];
    const folder = realPath(resolve(root, named));
    const common = folder?.match(/^(.*\/\.git)\/worktrees\/[^/]+$/)?.[1];
    return common === undefined ? [] : [common];
  } catch {
    return [];
  }
}
