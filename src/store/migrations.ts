/**
 * The schema as an ordered list: migration N brings a database from version N to N + 1. A released entry is never
 * edited; a change is a new entry. The version stands in SQLite's `user_version`.
 */
export const MIGRATIONS: readonly string[] = [
  // 0 → 1
  `
  CREATE TABLE tasks (
    task_id          TEXT PRIMARY KEY,
    repository_id    TEXT NOT NULL,
    state            TEXT NOT NULL,
    version          INTEGER NOT NULL,
    owner_pid        INTEGER,
    owner_start_time TEXT,
    owner_id         TEXT,
    record           TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    last_event_seq   INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- Branches and folders are named after tasks, and a disk may fold letter case.
  CREATE UNIQUE INDEX tasks_by_folded_id ON tasks (task_id COLLATE NOCASE);
  CREATE INDEX tasks_by_repository ON tasks (repository_id, state);

  CREATE TABLE events (
    task_id   TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
    seq       INTEGER NOT NULL,
    timestamp TEXT NOT NULL,
    type      TEXT NOT NULL,
    data      TEXT NOT NULL,
    PRIMARY KEY (task_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE receipts (
    task_id TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    receipt TEXT NOT NULL,
    PRIMARY KEY (task_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE verifications (
    task_id  TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    result   TEXT NOT NULL,
    PRIMARY KEY (task_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE interactions (
    position       INTEGER PRIMARY KEY,
    task_id        TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
    interaction_id TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'resolved', 'cancelled')),
    interaction    TEXT NOT NULL,
    UNIQUE (task_id, interaction_id)
  ) STRICT;

  CREATE TABLE keys (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT;
  `,
  // 1 → 2
  `
  ALTER TABLE tasks ADD COLUMN owner_socket TEXT;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;
