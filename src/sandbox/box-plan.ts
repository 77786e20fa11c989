import { dirname, isAbsolute } from 'node:path';
import { RemitError } from '../base/index.ts';
import { pathsToHide } from './hidden-paths.ts';
import { contains, kindOf, realPath } from './host-paths.ts';
import { arrangeMounts, type Mount } from './mounts.ts';
import type { SandboxProfile } from './profile.ts';

/** A profile after a look at this host: what to mount where, in order. Everything that compiling needs, as data. */
export interface BoxPlan {
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  /** `path` of a private home is to be made inside. */
  readonly home: { readonly kind: 'private' | 'directory'; readonly path: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly network: 'none' | 'host';
  readonly unixSockets: 'allowed' | 'refused';
  /** The caller is root: without a user of its own inside, and without covering parts of /proc, this would be no box. */
  readonly asRoot: boolean;
  /** Parts of /proc that root may write without any capability (core_pattern runs programs on the host). */
  readonly protectedProc: readonly string[];
}

const MIB = 1024 * 1024;

/** Emptied, in memory, and bounded. /dev/shm comes with the box's own /dev. */
const SCRATCH: readonly (readonly [path: string, sizeBytes: number])[] = [
  ['/tmp', 2048 * MIB],
  ['/var/tmp', 256 * MIB],
  ['/run', 64 * MIB],
];

/** NixOS keeps its programs and drivers below /run. */
const KEPT_BELOW_RUN: readonly string[] = ['/run/current-system', '/run/opengl-driver'];

const PROC_WRITABLE_BY_ROOT = '/proc/sys /proc/sysrq-trigger /proc/fs /proc/acpi /proc/scsi /proc/mtrr'.split(' ');

const PRIVATE_HOME = '/tmp/home';

/** Throws `sandbox_unavailable` for a path that is missing, relative or behind a link. */
export function planBox(profile: SandboxProfile, argv: readonly string[]): BoxPlan {
  const writable = profile.writable.map((path) => requireReal(path, 'writable'));
  const readOnly = [
    ...profile.readOnly.map((path) => requireReal(path, 'read-only')),
    ...programFolders(profile.environment['PATH'] ?? '', argv[0] ?? ''),
  ];
  if (profile.home.kind === 'directory') writable.push(requireReal(profile.home.path, 'home'));
  const home = { kind: profile.home.kind, path: profile.home.kind === 'private' ? PRIVATE_HOME : profile.home.path };
  const unixSockets = profile.unixSockets ?? (profile.network === 'none' ? 'allowed' : 'refused');
  const hidden = pathsToHide({ profile, argv, needed: [profile.cwd, ...writable, ...readOnly], writable, unixSockets });
  return {
    mounts: arrangeMounts([
      ...SCRATCH.filter(([path]) => realPath(path) === path).map(
        ([path, sizeBytes]): Mount => ({ kind: 'scratch', path, sizeBytes }),
      ),
      ...writable.map((path): Mount => ({ kind: 'writable', path })),
      ...[...readOnly, ...keptBelowRun(profile.network)].map((path): Mount => ({ kind: 'read_only', path })),
      ...hidden,
    ]),
    cwd: profile.cwd,
    home,
    environment: boxEnvironment(profile.environment, home.path),
    network: profile.network,
    unixSockets,
    asRoot: process.geteuid?.() === 0,
    protectedProc: PROC_WRITABLE_BY_ROOT.filter((path) => kindOf(path) !== 'missing'),
  };
}

/** Programs that the operator keeps in a temporary folder: the folders of PATH, and of a program named by its path. */
function programFolders(searchPath: string, program: string): string[] {
  const named = isAbsolute(program) ? [dirname(program)] : [];
  const real = [...searchPath.split(':').filter(isAbsolute), ...named].map(realPath);
  const isBelowScratch = (path: string) => SCRATCH.some(([root]) => path !== root && contains(root, path));
  return [...new Set(real)].filter((path): path is string => path !== undefined && isBelowScratch(path));
}

function requireReal(path: string, role: string): string {
  const real = isAbsolute(path) ? realPath(path) : undefined;
  if (real === path && path !== '/') return path;
  const problem = !isAbsolute(path)
    ? 'is not absolute'
    : path === '/'
      ? 'is the root of the file system'
      : real === undefined
        ? 'does not exist'
        : `is not a real path (it leads to ${real})`;
  throw new RemitError('sandbox_unavailable', `The ${role} path ${path} of the sandbox profile ${problem}.`);
}

/** systemd-resolved's file, to which /etc/resolv.conf links: without it no name resolves. */
function keptBelowRun(network: 'none' | 'host'): string[] {
  const resolver = network === 'host' ? realPath('/etc/resolv.conf') : undefined;
  const kept = KEPT_BELOW_RUN.filter((path) => kindOf(path) !== 'missing' && realPath(path) === path);
  return resolver !== undefined && contains('/run', resolver) ? [...kept, resolver] : kept;
}

/** HOME is the profile's, whatever the environment said; the rest only where it said nothing. */
export function boxEnvironment(given: Readonly<Record<string, string>>, home: string): Record<string, string> {
  return {
    TMPDIR: '/tmp',
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    ...given,
    HOME: home,
  };
}
