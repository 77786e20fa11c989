import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { processStartTime } from '../../process/index.ts';

/** unix(7): a socket's path has at most 108 bytes with its end mark, on macOS 104. */
const MAX_PATH_BYTES = 100;

/** A socket with a folder of its own, as it is made below. */
const LONE_SOCKET = /^\/tmp\/remit-[A-Za-z0-9]{6}\/owner\.sock$/;

/**
 * Where this process listens: `run/` of the state directory, private to its user and hidden from workers; for a state
 * directory whose path is too long a private folder in /tmp, of which every sandbox has its own. A link in `run/` tells of
 * that folder, so that it is found when this process was killed.
 */
export function chooseSocketPath(stateDirectory: string, ownerId: string): string {
  const directory = join(stateDirectory, 'run');
  const path = join(directory, `${process.pid}-${ownerId.slice(0, 8)}.sock`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  const lone = join(mkdtempSync('/tmp/remit-'), 'owner.sock');
  symlinkSync(lone, path);
  return lone;
}

/** Removes a socket, and the folder that was made for it alone; in `run/` lie the sockets of others. */
export function removeSocket(path: string): void {
  rmSync(path, { force: true });
  if (LONE_SOCKET.test(path)) rmdirSync(dirname(path));
}

/** Removes what killed processes left behind, and what tells of a folder in /tmp that this process has removed. */
export function sweepSockets(stateDirectory: string): void {
  const directory = join(stateDirectory, 'run');
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}\.sock$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid)) continue;
    const path = join(directory, name);
    // A socket whose process is gone can never answer again.
    const isDead = processStartTime(pid) === undefined;
    if (isDead) removeLinked(path);
    if (isDead || (pid === process.pid && isBrokenLink(path))) rmSync(path, { force: true });
  }
}

/** In /tmp everybody can make a folder of any name: only one of this user is touched. */
function removeLinked(path: string): void {
  const socket = linkTarget(path);
  if (socket === undefined || !LONE_SOCKET.test(socket)) return;
  const folder = lstatSync(dirname(socket), { throwIfNoEntry: false });
  if (folder?.isDirectory() && folder.uid === process.getuid?.()) removeSocket(socket);
}

function isBrokenLink(path: string): boolean {
  const target = linkTarget(path);
  return target !== undefined && !existsSync(target);
}

/** Undefined for what is no link, or is there no more. */
function linkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
}
