import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An open file that holds `data` and has no name. Not a pipe: the content is complete before the program starts, so that
 * a host killed at the wrong instant never leaves a launcher with half of its restrictions.
 */
export function openNamelessFile(data: Uint8Array): number {
  const path = join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), `remit-${randomUUID()}`);
  try {
    return writeNameless(path, data);
  } catch {
    return writeNameless(join(tmpdir(), `remit-${randomUUID()}`), data);
  }
}

function writeNameless(path: string, data: Uint8Array): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    unlinkSync(path);
    // Written by position, so that the shared offset stays at the start for the reader.
    for (let at = 0; at < data.length; ) at += writeSync(fd, data, at, data.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
