import { statSync } from 'node:fs';
import { RemitError, visibleText } from '../base/index.ts';
import { type Outcome, runProcess } from '../process/index.ts';
import { neutralEnvironment, type Setting } from './neutral-environment.ts';
import { type Git, gitSearchPath } from './open-git.ts';

/** Where a call works. Everything is explicit, so that no pointer file or discovery in a worktree decides it. */
export interface GitPlace {
  readonly cwd: string;
  /** GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and the like. */
  readonly variables: Readonly<Record<string, string>>;
  /** `user`: the user's configuration counts. `none`: only the file in GIT_DIR, which must then be the host's own. */
  readonly configuration: 'user' | 'none';
  readonly settings?: readonly Setting[];
}

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** Exit codes that are an answer; any other is a failure. Default: 0. */
  readonly normalExits?: readonly number[];
  /** Default: by the verb, 30 s to 10 minutes. */
  readonly timeoutMs?: number;
  /** Default 256 MiB; more is a failure unless `mayTruncate`. */
  readonly maxOutputBytes?: number;
  readonly mayTruncate?: boolean;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly totalBytes: number;
  /** Only possible with `mayTruncate`. */
  readonly truncated: boolean;
  /** Of all of stdout. */
  readonly sha256: string;
}

/** For verbs that read and write objects or files without end. */
const LONG_TIMEOUT_MS = 600_000;
/** For verbs that look at every file of a checkout. */
const LOOK_TIMEOUT_MS = 120_000;
/** For verbs that read a few small files: one that takes longer waits for a pipe or a dead disk. */
const QUICK_TIMEOUT_MS = 30_000;
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['rev-parse', 'config', 'var', 'for-each-ref', 'show-ref', 'symbolic-ref', 'update-ref', 'worktree'].map((verb) => [
      verb,
      QUICK_TIMEOUT_MS,
    ]),
  ),
  ...Object.fromEntries(['status', 'ls-files', 'check-attr', 'diff-files'].map((verb) => [verb, LOOK_TIMEOUT_MS])),
};
const DEFAULT_OUTPUT_BYTES = 256 * 1024 * 1024;

/** A call that ended in a way that its caller did not declare normal. */
export class GitFailure extends Error {
  readonly outcome: Outcome;
  readonly stderr: string;

  constructor(args: readonly string[], outcome: Outcome, stderr: string, timeoutMs?: number) {
    super(`git ${args[0]} ${describeOutcome(outcome, timeoutMs)}${stderr === '' ? '' : `: ${firstLines(stderr)}`}`);
    this.name = 'GitFailure';
    this.outcome = outcome;
    this.stderr = stderr;
  }
}

/**
 * Runs one Git command. Throws `GitFailure` on an exit that is not normal, a deadline or too much output, and a retryable
 * `ownership_ambiguous` when another Git holds a lock.
 */
export async function runGit(git: Git, place: GitPlace, call: GitCall): Promise<GitAnswer> {
  const timeoutMs = call.timeoutMs ?? TIMEOUTS_MS[call.args[0] ?? ''] ?? LONG_TIMEOUT_MS;
  const result = await runProcess({
    argv: gitArgv(git, call.args),
    cwd: place.cwd,
    env: gitEnvironment(git, place),
    stdin: call.input ?? '',
    timeoutMs,
    maxOutputBytes: call.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
  });
  const { outcome, stdout } = result;
  const stderr = result.stderr.bytes.toString('utf8');
  if (outcome.kind !== 'exited' || !(call.normalExits ?? [0]).includes(outcome.exitCode)) {
    throw lockError(stderr) ?? new GitFailure(call.args, outcome, stderr, timeoutMs);
  }
  if (stdout.truncated && call.mayTruncate !== true) {
    throw new GitFailure(call.args, outcome, `answered with ${stdout.totalBytes} bytes, more than Remit takes`);
  }
  const { bytes, totalBytes, sha256, truncated } = stdout;
  return { exitCode: outcome.exitCode, stdout: bytes, stderr, totalBytes, truncated, sha256 };
}

export function gitArgv(git: Git, args: readonly string[]): string[] {
  return [git.executable, '--no-pager', ...args];
}

export function gitEnvironment(git: Git, place: GitPlace): Record<string, string> {
  const user =
    place.configuration === 'user'
      ? git.userEnvironment
      : // HOME is left out as well: ignore and attribute files have a default place below it.
        { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return {
    ...user,
    ...neutralEnvironment(place.settings ?? []),
    PATH: gitSearchPath(git.executable),
    ...place.variables,
  };
}

/** The lock that Git said it could not take: its path and how long it has been there. */
export function findLock(stderr: string): { path: string; reason: string } | undefined {
  const path = /Unable to create '([^\n]*\.lock)': File exists/.exec(stderr)?.[1];
  if (path === undefined) return undefined;
  const age = lockAge(path);
  return {
    path,
    reason: `Git is busy: ${path} exists${age}. Retry when the other Git command has ended; remove the file only if none is running`,
  };
}

function lockAge(path: string): string {
  try {
    return ` (${Math.max(0, Math.round((Date.now() - statSync(path).mtimeMs) / 1000))} s old)`;
  } catch {
    return ' no longer';
  }
}

function lockError(stderr: string): RemitError | undefined {
  const lock = findLock(stderr);
  if (lock === undefined) return undefined;
  return new RemitError('ownership_ambiguous', lock.reason, { retryable: true, details: { lock: lock.path } });
}

function describeOutcome(outcome: Outcome, timeoutMs: number | undefined): string {
  switch (outcome.kind) {
    case 'exited':
      return `ended with exit code ${outcome.exitCode}`;
    case 'signalled':
      return `was ended by ${outcome.signal}`;
    case 'timed_out':
      return timeoutMs === undefined
        ? 'took too long and was ended'
        : `did not end within ${timeoutMs / 1000} s and was ended`;
    case 'aborted':
      return 'was stopped';
    case 'not_started':
      return `did not start (${outcome.reason})`;
  }
}

/** What Git said, shortened and safe to show, without its `fatal:`. */
export function firstLines(stderr: string): string {
  const lines = stderr.trim().split('\n').slice(0, 6).join('\n');
  return visibleText(lines.replace(/^(?:fatal|error): /, '')).slice(0, 2_000);
}
