import { dirname } from 'node:path';
import { RemitError } from '../base/index.ts';
import { findExecutable, runProcess } from '../process/index.ts';
import { IndexFolders } from './index-folders.ts';
import { neutralEnvironment } from './neutral-environment.ts';

/** The Git program that every call uses. */
export interface Git {
  /** Absolute real path, found once. */
  readonly executable: string;
  /** For example `2.39.5`. */
  readonly version: string;
  /** What Git may know of the user: where the identity and `safe.directory` are configured, and the time zone. */
  readonly userEnvironment: Readonly<Record<string, string>>;
  /** What was read of index files that have not changed since. */
  readonly folders: IndexFolders;
}

export interface OpenGitOptions {
  /** A PATH; default: this process's. Relative and empty entries are ignored. */
  readonly searchPath?: string;
  /** Default: this process's. Only HOME, XDG_CONFIG_HOME and TZ are taken from it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const LEAST_VERSION = [2, 39] as const;
const USER_VARIABLES = ['HOME', 'XDG_CONFIG_HOME', 'TZ'] as const;

/** Finds Git and checks its version. Throws `unsupported_platform` when there is none or it is older than 2.39. */
export async function openGit(options: OpenGitOptions = {}): Promise<Git> {
  const executable = findExecutable('git', options.searchPath);
  if (executable === undefined) {
    throw new RemitError('unsupported_platform', 'Git is not on PATH; install Git 2.39 or newer');
  }
  const version = await readVersion(executable);
  const user = userEnvironment(options.environment ?? process.env);
  return { executable, version, userEnvironment: user, folders: new IndexFolders() };
}

async function readVersion(executable: string): Promise<string> {
  const { outcome, stdout } = await runProcess({
    argv: [executable, '--version'],
    // Never a worktree: a version probe must not see what a worker left.
    cwd: '/',
    env: { ...neutralEnvironment([]), PATH: gitSearchPath(executable) },
    timeoutMs: 30_000,
    maxOutputBytes: 4_096,
  });
  const text = stdout.bytes.toString('utf8');
  const match = /^git version ((\d+)\.(\d+)[^\s]*)/.exec(text);
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0 || match === null) {
    throw new RemitError('unsupported_platform', `${executable} --version gave no version; install Git 2.39 or newer`);
  }
  const [, version = '', major, minor] = match;
  if (Number(major) < LEAST_VERSION[0] || (Number(major) === LEAST_VERSION[0] && Number(minor) < LEAST_VERSION[1])) {
    throw new RemitError('unsupported_platform', `Git ${version} is too old; Remit needs Git 2.39 or newer`);
  }
  return version;
}

function userEnvironment(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const name of USER_VARIABLES) {
    const value = source[name];
    if (value !== undefined) taken[name] = value;
  }
  return taken;
}

/** Git starts other parts of itself by name; it looks in its own folder first, then here. */
export function gitSearchPath(executable: string): string {
  return [dirname(executable), '/usr/bin', '/bin'].join(':');
}
