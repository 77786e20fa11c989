import { RemitError } from '../base/index.ts';

/** SQLite's primary result codes that mean something to an operator. Source: https://sqlite.org/rescode.html */
const BUSY = 5;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** The primary result code of an error that SQLite raised, or undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as Error & { errcode?: unknown }).errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Another process holds the write lock (or recovers the log) for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** What a store that could not take a change now may take later: the disk is full or failing, or another process holds on. */
export function isPassing(error: unknown): boolean {
  const code = resultCode(error instanceof RemitError ? error.cause : error);
  return code === BUSY || code === FULL || code === IO_ERROR;
}

/** The same error in words that name the file and the next step; errors that SQLite did not raise come back as they are. */
export function describeDatabaseError(error: unknown, file: string): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const cause = { cause: error };
  switch (code) {
    case BUSY:
      return new RemitError('lease_conflict', `Another process holds the task database ${file}: try again.`, cause);
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(file, error);
    case FULL:
      return new RemitError(
        'internal_error',
        `The disk that holds the task database ${file} is full: make room.`,
        cause,
      );
    case READONLY:
    case CANNOT_OPEN:
      return new RemitError(
        'internal_error',
        `The task database ${file} cannot be opened for writing: check the permissions of the file and its directory.`,
        cause,
      );
    case IO_ERROR:
      return new RemitError(
        'internal_error',
        `The task database ${file} cannot be read or written: check the disk.`,
        cause,
      );
    default:
      return error;
  }
}

/** For a file that is no task database, or holds rows that Remit cannot have written. */
export function damaged(file: string, cause: unknown, place?: string): RemitError {
  const where = place === undefined ? '' : ` (${place})`;
  return new RemitError(
    'internal_error',
    `The task database ${file} is damaged${where}. It was left as it is: move it aside together with its -wal and -shm files to start afresh, or restore a copy. Worktrees and branches of tasks are not touched by that.`,
    { cause },
  );
}
