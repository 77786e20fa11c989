import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { RemitError, visibleLine } from '../base/index.ts';

/** A small file that whoever made the repository may have chosen: it can be a pipe, a device or without end. */
export type FileReading =
  | { readonly kind: 'file'; readonly bytes: Buffer }
  /** Not there, or closed to this user: Git too goes on without it. */
  | { readonly kind: 'missing' }
  /** `reason` names the path and what is wrong with it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** More than any rule or list file that people write; Git itself takes 100 MB of attributes. */
export const MAX_RULE_BYTES = 16 * 1024 * 1024;
const EMPTY: FileReading = { kind: 'file', bytes: Buffer.alloc(0) };
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);
/** What stands there is made while it is read, and reading may wait or never end, although some of it calls itself a file. */
const SYNTHETIC = /^\/(?:proc|sys|dev)\//;
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** Reads a regular file of at most `maxBytes`; links are followed, nothing is waited for. */
export async function readBounded(path: string, maxBytes: number = MAX_RULE_BYTES): Promise<FileReading> {
  const fault = await findFileFault(path, maxBytes);
  if (fault === 'missing') return { kind: 'missing' };
  if (fault === 'empty') return EMPTY;
  if (fault !== undefined) return { kind: 'refused', reason: fault };
  try {
    await using file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    return await readRegular(path, file, maxBytes);
  } catch (error) {
    return missingOrThrow(error);
  }
}

/** The same as bytes, `undefined` for what is missing. Throws `unsupported_platform` for what must not be read. */
export async function readIfThere(path: string, maxBytes?: number): Promise<Buffer | undefined> {
  const reading = await readBounded(path, maxBytes);
  if (reading.kind === 'refused') throw new RemitError('unsupported_platform', reading.reason);
  return reading.kind === 'file' ? reading.bytes : undefined;
}

/** Throws `unsupported_platform` where Git would hang on a file or read it without end. */
export async function requireReadable(path: string, maxBytes: number = MAX_RULE_BYTES): Promise<void> {
  const fault = await findFileFault(path, maxBytes);
  if (fault !== undefined && fault !== 'missing' && fault !== 'empty') {
    throw new RemitError('unsupported_platform', fault);
  }
}

async function findFileFault(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    // What people name when they want no file at all.
    if (real === '/dev/null') return 'empty';
    const facts = await stat(real);
    if (!facts.isFile() || SYNTHETIC.test(real)) return notRegular(path, real);
    return facts.size > maxBytes ? tooLarge(path, facts.size, maxBytes) : undefined;
  } catch (error) {
    return missingOrThrow(error).kind;
  }
}

async function readRegular(path: string, file: FileHandle, maxBytes: number): Promise<FileReading> {
  const facts = await file.stat();
  if (!facts.isFile()) return { kind: 'refused', reason: notRegular(path, path) };
  if (facts.size > maxBytes) return { kind: 'refused', reason: tooLarge(path, facts.size, maxBytes) };
  const buffer = Buffer.alloc(facts.size);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { kind: 'file', bytes: buffer.subarray(0, length) };
}

function missingOrThrow(error: unknown): { readonly kind: 'missing' } {
  if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return { kind: 'missing' };
  throw error;
}

function notRegular(path: string, real: string): string {
  const where = real === path ? '' : ` (it leads to ${visibleLine(real)})`;
  return `${visibleLine(path)} is not a regular file${where}, so Git could hang on it; replace or remove it`;
}

function tooLarge(path: string, size: number, maxBytes: number): string {
  return `${visibleLine(path)} has ${size} bytes, more than the ${maxBytes} that such a file may have; shorten or remove it`;
}
