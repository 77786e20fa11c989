import { readdirSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { decodePath, encodePath, RemitError } from '../base/index.ts';
import { credentialStores, SYSTEM_SECRETS } from './credential-stores.ts';
import { canEnter, canRead, contains, isSocket, kindOf, realPath } from './host-paths.ts';
import type { Mount } from './mounts.ts';
import type { SandboxProfile } from './profile.ts';

interface HidingRequest {
  readonly profile: SandboxProfile;
  readonly argv: readonly string[];
  /** Paths that the program must be able to reach. */
  readonly needed: readonly string[];
  readonly writable: readonly string[];
  readonly unixSockets: 'allowed' | 'refused';
}

/** What the profile hides, and what is hidden whoever asks: a profile cannot forget it. */
export function pathsToHide(request: HidingRequest): Mount[] {
  const paths = [
    ...request.profile.hidden,
    ...ownHomes().flatMap(credentialStores),
    ...foreignHomes(request),
    // What this user cannot read, the box cannot either: it has the same user on the host.
    ...SYSTEM_SECRETS.filter(canRead),
    ...(request.unixSockets === 'allowed' ? hostSockets(request.writable) : []),
  ];
  return paths.flatMap(hide);
}

/** A link is followed: what it leads to is what must not be seen. */
function hide(path: string): Mount[] {
  if (!isAbsolute(path)) throw new RemitError('sandbox_unavailable', `The hidden path ${path} is not absolute.`);
  const real = realPath(path);
  if (real === undefined) return [];
  if (real === '/') throw new RemitError('sandbox_unavailable', `The hidden path ${path} is the whole file system.`);
  return [{ kind: kindOf(real) === 'directory' ? 'hidden_directory' : 'hidden_file', path: real }];
}

/** HOME can be set to anything: the one of the user database counts too. */
function ownHomes(): string[] {
  const homes = [homedir()];
  try {
    homes.push(userInfo().homedir);
  } catch {
    // A user without an entry, as in many containers.
  }
  return [...new Set(homes.filter((home) => isAbsolute(home) && home !== '/'))];
}

/** Other users' homes: whole, unless something that the program needs lies in one; then its credential stores. */
function foreignHomes({ profile, argv, needed }: HidingRequest): string[] {
  const searched = (profile.environment['PATH'] ?? '').split(':').filter((entry) => isAbsolute(entry));
  const reached = [...needed, ...searched, ...(argv[0]?.startsWith('/') ? [argv[0]] : []), ...ownHomes()];
  return [...listFolder('/home'), '/root', '/var/root']
    .filter((home) => kindOf(home) === 'directory' && canEnter(home) && !ownHomes().includes(home))
    .flatMap((home) => (reached.some((path) => contains(home, path)) ? credentialStores(home) : [home]));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(encodePath(folder), { encoding: 'buffer' }).map((name) => join(folder, decodePath(name)));
  } catch {
    return [];
  }
}

/**
 * Socket files that programs of the host listen on: a read-only mount does not keep anybody from connecting (a container
 * engine's socket is as good as root). Those in the box's writable folders belong to the task.
 */
function hostSockets(writable: readonly string[]): string[] {
  return [...new Set(boundSocketPaths())]
    .filter((path) => !writable.some((folder) => contains(folder, path)) && isSocket(path))
    .sort();
}

/** proc_pid_net(5): the path is the eighth field, to the end of the line; `@` starts an abstract name. */
function boundSocketPaths(): string[] {
  try {
    const lines = readFileSync('/proc/net/unix').toString('latin1').split('\n');
    return lines
      .map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1])
      .filter((path) => path !== undefined)
      .map((path) => decodePath(Buffer.from(path, 'latin1')));
  } catch {
    return [];
  }
}
