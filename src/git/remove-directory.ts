import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { Breath } from './breath.ts';

const SLASH = Buffer.from('/');

/**
 * Removes a file or a whole directory. Links are removed, never followed; directories that their owner may not write are
 * made writable first. What is not there counts as removed. Names are bytes.
 */
export async function removeEntry(path: string | Buffer, breath: Breath = new Breath()): Promise<void> {
  const bytes = typeof path === 'string' ? Buffer.from(path) : path;
  const stats = lstatSync(bytes, { throwIfNoEntry: false });
  if (stats === undefined) return;
  await breath.take();
  if (!stats.isDirectory()) {
    unlinkSync(bytes);
    return;
  }
  openUp(bytes, stats.mode);
  for (const entry of readdirSync(bytes, { encoding: 'buffer', withFileTypes: true })) {
    const child = joinBytes(bytes, entry.name);
    if (entry.isDirectory()) await removeEntry(child, breath);
    else unlinkSync(child);
  }
  rmdirSync(bytes);
}

/** Gives the owner what it needs to look into and change a directory. */
export function openUp(directory: Buffer, mode: number): void {
  if ((mode & 0o700) !== 0o700) chmodSync(directory, (mode & 0o777) | 0o700);
}

export function joinBytes(directory: Buffer, name: Uint8Array): Buffer {
  return Buffer.concat([directory, SLASH, name]);
}
