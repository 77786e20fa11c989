import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processStartTime } from '../../process/index.ts';

/** unix(7): a socket's path has at most 108 bytes with its end mark, on macOS 104. */
const MAX_PATH_BYTES = 100;

/** A socket with a folder of its own, as it is made below. */
const LONE_SOCKET = /^\/tmp\/remit-[A-Za-z0-9]{6}\/owner\.sock$/;

/**
 * Where this process listens: `run/` of the state directory, private to its user and hidden from workers; for a state
 * directory whose path is too long a private folder in /tmp, of which every sandbox has its own.
 */
export function chooseSocketPath(stateDirectory: string, ownerId: string): string {
  const directory = join(stateDirectory, 'run');
  const path = join(directory, `${process.pid}-${ownerId.slice(0, 8)}.sock`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return join(mkdtempSync('/tmp/remit-'), 'owner.sock');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return path;
}

/** Removes a socket, and the folder that was made for it alone; in `run/` lie the sockets of others. */
export function removeSocket(path: string): void {
  rmSync(path, { force: true });
  if (LONE_SOCKET.test(path)) rmdirSync(dirname(path));
}

/** Removes what killed processes left behind: a socket whose process is gone can never answer again. */
export function sweepSockets(stateDirectory: string): void {
  const directory = join(stateDirectory, 'run');
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}\.sock$/.exec(name)?.[1]);
    if (Number.isSafeInteger(pid) && processStartTime(pid) === undefined)
      rmSync(join(directory, name), { force: true });
  }
}
