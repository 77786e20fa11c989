import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RemitError, visibleLine } from '../../base/index.ts';

const MAX_BYTES = 16 * 1024 * 1024;

export interface ConfigFile {
  /** Where the client looks. */
  readonly path: string;
  /** Where the text lies: the same, or what a link there leads to. */
  readonly target: string;
  /** Undefined when there is no file yet. */
  readonly text: string | undefined;
  readonly folderExists: boolean;
}

/** Throws `invalid_request` for what is no readable text file, and for a link that leads nowhere. */
export function readConfigFile(path: string): ConfigFile {
  return explaining(path, 'read', () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    const folderExists = existsSync(dirname(path));
    if (found === undefined) return { path, target: path, text: undefined, folderExists };
    if (found.isSymbolicLink() && !existsSync(path)) throw refuse(path, 'is a link to something that does not exist');
    const target = found.isSymbolicLink() ? realpathSync(path) : path;
    const facts = statSync(target);
    if (!facts.isFile()) throw refuse(path, 'is no file');
    if (facts.size > MAX_BYTES) throw refuse(path, `is larger than ${MAX_BYTES} bytes`);
    return { path, target, text: decode(path, readFileSync(target)), folderExists };
  });
}

/**
 * Puts a new text in the file's place at one instant: a reader sees the old one or the new one, whole. Owner and mode stay; a
 * file that is made new is for its owner alone, since such files hold keys. Throws `invalid_request` when the file is no longer
 * what was read, or cannot be written; then nothing is changed and nothing is left behind.
 */
export function replaceConfigFile({ path, target, text: before }: ConfigFile, text: string): void {
  explaining(path, 'write', () => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const facts = statSync(target, { throwIfNoEntry: false });
    const draft = join(dirname(target), `.${basename(target)}.remit-${randomBytes(6).toString('hex')}`);
    try {
      writeDraft(path, draft, text, facts);
      const now = facts === undefined ? undefined : decode(path, readFileSync(target));
      if (now !== before) throw refuse(path, 'was changed by another program meanwhile; run the command again');
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

function writeDraft(path: string, draft: string, text: string, facts: Stats | undefined): void {
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (facts !== undefined) keepOwnerAndMode(path, descriptor, facts);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepOwnerAndMode(path: string, descriptor: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(descriptor);
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
  } catch (cause) {
    throw refuse(path, 'belongs to another user or group, and would no longer if it were written anew', cause);
  }
  fchmodSync(descriptor, mode & 0o777);
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    // The byte order mark stays, so that it is written again.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refuse(path, 'is not UTF-8 text', cause);
  }
}

function refuse(path: string, what: string, cause?: unknown): RemitError {
  return new RemitError('invalid_request', `${visibleLine(path)} ${what}`, { cause });
}

function explaining<Result>(path: string, doing: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof RemitError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new RemitError('invalid_request', `cannot ${doing} ${visibleLine(path)}: ${visibleLine(reason)}`, {
      cause: error,
    });
  }
}
