import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_LEVELS, type Log, type LogLevel, redact, redactDeep, truncateUtf8 } from '../base/index.ts';

/** A day's log over this size is set aside as `.1`, which replaces the one before. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Longest line; what is longer loses its facts. */
const MAX_LINE_BYTES = 32 * 1024;

/** Longest message or text among the facts; the rest is cut. */
const MAX_TEXT_BYTES = 4 * 1024;

/** Days (and set-aside files) that are kept. */
const MAX_FILES = 20;

/** Redaction of text looks for labels before values; here the label is the key. */
const SECRET_KEY = /(?:api[_-]?key|secret|password|passwd|token|authorization|cookie)$/i;

const LOG_NAME = /^remit-\d{4}-\d{2}-\d{2}\.log(?:\.1)?$/;

/**
 * A log of one JSON object a line in `stateDirectory/logs/remit-DATE.log` (UTC), 0600, redacted, bounded in size and
 * number. Never writes to stdout, which belongs to the protocol. Never throws: a full disk must not stop a task.
 * Several processes append to one file; a line is one write, so lines do not mix.
 */
export function openLogFile(stateDirectory: string, leastLevel: LogLevel): Log {
  const directory = join(stateDirectory, 'logs');
  const least = LOG_LEVELS.indexOf(leastLevel);
  quietly(() => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    removeOldest(directory);
  });
  return (level, message, facts) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    quietly(() => {
      const now = new Date().toISOString();
      append(join(directory, `remit-${now.slice(0, 10)}.log`), logLine(now, level, message, facts));
    });
  };
}

/** Names one unforeseen error in an answer and in the log, so that the two are found together. */
export function newErrorId(): string {
  return `E-${randomBytes(6).toString('hex')}`;
}

function logLine(time: string, level: LogLevel, message: string, facts: Record<string, unknown> | undefined): string {
  const head = { time, level, pid: process.pid, message: redact(truncateUtf8(message, MAX_TEXT_BYTES)) };
  const line = JSON.stringify({ ...head, ...plainFacts(facts) });
  if (Buffer.byteLength(line) < MAX_LINE_BYTES) return `${line}\n`;
  return `${JSON.stringify({ ...head, truncated: true })}\n`;
}

/** Facts that JSON can hold, without credentials; they never replace the head of the line. */
function plainFacts(facts: Record<string, unknown> | undefined): { facts?: unknown } {
  if (facts === undefined) return {};
  try {
    const plain = JSON.stringify(facts, plainValue);
    return { facts: redactDeep(JSON.parse(plain)) };
  } catch {
    return { facts: 'unprintable' };
  }
}

function plainValue(key: string, value: unknown): unknown {
  if (value instanceof Error) return describeError(value);
  if (typeof value !== 'string') return value;
  return SECRET_KEY.test(key) ? '[redacted]' : truncateUtf8(value, MAX_TEXT_BYTES);
}

function describeError(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, stack: error.stack, cause: error.cause };
}

function append(file: string, line: string): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing !== undefined) {
    // A link or a pipe in its place would carry the log elsewhere, or block.
    if (!existing.isFile()) return;
    if ((existing.mode & 0o077) !== 0) chmodSync(file, 0o600);
    if (existing.size + line.length > MAX_FILE_BYTES) renameSync(file, `${file}.1`);
  }
  appendFileSync(file, line, { mode: 0o600 });
}

function removeOldest(directory: string): void {
  const logs = readdirSync(directory).filter((name) => LOG_NAME.test(name));
  for (const name of logs.sort().slice(0, -MAX_FILES)) rmSync(join(directory, name), { force: true });
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Nowhere is left to say it: stdout is the protocol's, and stderr may be a closed pipe.
  }
}
