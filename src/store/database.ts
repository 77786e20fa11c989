import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RemitError } from '../base/index.ts';
import { describeDatabaseError } from './database-error.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

export const DATABASE_FILE = 'tasks.sqlite';

/** 'RMIT': how the file says whose it is, so that another program's database is never written to. */
export const APPLICATION_ID = 0x52_4d_49_54;

/** How long one statement waits for another process's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 1_000;

/** The log is cut back to this many bytes after a checkpoint; one large transaction would else stay on the disk. */
const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

export interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly file: string;
}

/** Opens or creates `directory/tasks.sqlite` at the newest schema version. The directory is made 0700, the files 0600. */
export function openDatabase(directory: string): OpenDatabase {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, DATABASE_FILE);
  ensurePrivateFile(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { enableForeignKeyConstraints: true, allowExtension: false });
    prepare(database, file);
    return { database, file };
  } catch (error) {
    database?.close();
    throw describeDatabaseError(error, file);
  }
}

/**
 * SQLite gives its -wal and -shm files the mode of the database, so one private file makes all private. An existing
 * file is never opened here: closing a descriptor of it would drop the POSIX locks of this process's other connections.
 */
function ensurePrivateFile(file: string): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing === undefined) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      // Another process made it just now, as private as this one would have.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return;
  }
  if (!existing.isFile()) {
    throw new RemitError(
      'internal_error',
      `${file} is not a regular file: Remit keeps its task database there. Move it aside.`,
    );
  }
  if ((existing.mode & 0o077) !== 0) chmodSync(file, 0o600);
}

function prepare(database: DatabaseSync, file: string): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Checked before the journal mode, which writes to the file: a foreign database stays as it is.
  readSchemaVersion(database, file);
  const mode = retryWhileBusy(() => database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']);
  if (mode !== 'wal') {
    throw new RemitError(
      'unsupported_platform',
      `The file system of ${file} cannot share a database between processes: put the state directory on a local disk.`,
    );
  }
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA trusted_schema = OFF');
  database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
  if (readSchemaVersion(database, file) < SCHEMA_VERSION) migrate(database, file);
}

/** Brings the schema to this program's version, each process waiting for the one that came first. */
function migrate(database: DatabaseSync, file: string): void {
  retryWhileBusy(() => database.exec('BEGIN IMMEDIATE'));
  try {
    const from = readSchemaVersion(database, file);
    for (const migration of MIGRATIONS.slice(from)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The version of the schema (0: empty file). Throws for another program's database and for one of a newer Remit. */
function readSchemaVersion(database: DatabaseSync, file: string): number {
  // Asked first: a database that another process fills between these reads then carries that process's marks.
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const version = pragma(database, 'user_version');
  const application = pragma(database, 'application_id');
  if (application !== APPLICATION_ID && !(isEmpty && application === 0 && version === 0)) {
    throw new RemitError(
      'internal_error',
      `${file} is a database of another program: Remit keeps its tasks there. Move it aside.`,
    );
  }
  if (version > SCHEMA_VERSION) throw newerDatabase(file, version);
  return version;
}

/** Throws when another process with a newer Remit has migrated the database since this one opened it. */
export function requireOwnVersion(database: DatabaseSync, file: string): void {
  const version = pragma(database, 'user_version');
  if (version > SCHEMA_VERSION) throw newerDatabase(file, version);
}

function newerDatabase(file: string, version: number): RemitError {
  return new RemitError(
    'unsupported_platform',
    `The task database ${file} has version ${version}, this Remit knows versions up to ${SCHEMA_VERSION}: run the newer Remit that wrote it, or point the setting stateDir at another directory.`,
    { details: { database_version: version, supported_version: SCHEMA_VERSION } },
  );
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
