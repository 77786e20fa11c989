import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { openNamelessFile } from './extra-files.ts';
import { locateExecutable } from './find-executable.ts';
import { inheritableDescriptors } from './inherited-descriptors.ts';
import type { Outcome } from './outcome.ts';
import { signalGroup } from './process-group.ts';

/** A file descriptor (3 or higher) that the program finds open for reading, with this content. */
export interface ExtraFile {
  readonly fd: number;
  readonly data: Uint8Array;
}

export interface SpawnRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: 'empty' | 'pipe';
  readonly extraFiles?: readonly ExtraFile[] | undefined;
  /** A descriptor (3 or higher) on which the program reports about itself. */
  readonly statusFd?: number | undefined;
  /** A descriptor (3 or higher) that is read as its standard output; 1 then leads nowhere. */
  readonly stdoutFd?: number | undefined;
}

export interface Child {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly status: Readable | undefined;
  /** Settles once: when the leader has exited and what was left of its group was killed. */
  readonly exited: Promise<Outcome>;
  /** Closes every stream between the two; this process no longer waits for the child's end. */
  letGo(): void;
}

export type Spawned = Child | (Outcome & { kind: 'not_started' });

/**
 * Starts a program as leader of a session and process group of its own: no controlling terminal, one handle to end all.
 * What the system refuses a little later, `exited` answers as `not_started`.
 */
export function spawnChild(request: SpawnRequest): Spawned {
  const program = programPath(request);
  if (program === undefined) return notStarted(request, 'ENOENT');
  const opened: number[] = [];
  try {
    const stdio = arrangeDescriptors(request, opened);
    return adopt(request, spawn(program, request.argv.slice(1), spawnOptions(request, stdio)));
  } catch (error) {
    return notStarted(request, (error as NodeJS.ErrnoException).code ?? '', error);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** A bare name is looked up in the program's own PATH, relative entries ignored; a path means what it says in `cwd`. */
function programPath(request: SpawnRequest): string | undefined {
  const name = request.argv[0] ?? '';
  return name.includes('/') ? name : locateExecutable(name, request.env['PATH'] ?? '');
}

function spawnOptions(request: SpawnRequest, stdio: SpawnOptions['stdio']): SpawnOptions {
  // Node would hand its own NODE_V8_COVERAGE on to every child that does not set it.
  const env: NodeJS.ProcessEnv = Object.assign(Object.create(null), { NODE_V8_COVERAGE: undefined }, request.env);
  return { cwd: request.cwd, env, argv0: request.argv[0], stdio, detached: true, shell: false, windowsHide: true };
}

function arrangeDescriptors(request: SpawnRequest, opened: number[]): ('ignore' | 'pipe' | number)[] {
  const stdio: ('ignore' | 'pipe' | number)[] = [request.stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'];
  const place = (fd: number, what: 'pipe' | number) => {
    if (!Number.isInteger(fd) || fd < 3) throw new RangeError(`${fd} is no file descriptor from 3 up`);
    while (stdio.length <= fd) stdio.push('ignore');
    stdio[fd] = what;
  };
  const hold = (fd: number): number => {
    opened.push(fd);
    return fd;
  };
  const leaking = inheritableDescriptors();
  const nothing = leaking.length === 0 ? -1 : hold(openSync('/dev/null', 'r'));
  for (const fd of leaking) place(fd, nothing);
  for (const file of request.extraFiles ?? []) place(file.fd, hold(openNamelessFile(file.data)));
  if (request.statusFd !== undefined) place(request.statusFd, 'pipe');
  if (request.stdoutFd !== undefined) {
    place(request.stdoutFd, 'pipe');
    stdio[1] = 'ignore';
  }
  return stdio;
}

function adopt(request: SpawnRequest, child: ChildProcess): Spawned {
  const { stdin, stderr, pid } = child;
  const stdout = child.stdio[request.stdoutFd ?? 1] as Readable | null;
  const exited = new Promise<Outcome>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(notStarted(request, error.code ?? '', error));
    });
    child.once('exit', (code, signal) => {
      if (pid !== undefined) signalGroup(pid, 'SIGKILL');
      resolve(signal === null ? { kind: 'exited', exitCode: code ?? -1 } : { kind: 'signalled', signal });
    });
  });
  if (stdout === null || stderr === null) throw new Error('the output pipes are missing');
  const status = request.statusFd === undefined ? undefined : (child.stdio[request.statusFd] as Readable);
  // A reader that goes away (EPIPE) is the program's right and shows in its outcome.
  for (const stream of [stdin, stdout, stderr, status]) stream?.on('error', () => {});
  const letGo = () => {
    for (const stream of [stdin, stdout, stderr, status]) stream?.destroy();
    child.unref();
  };
  return { pid: pid ?? 0, stdin, stdout, stderr, status, exited, letGo };
}

function notStarted(request: SpawnRequest, errno: string, error?: unknown): Outcome & { kind: 'not_started' } {
  const program = request.argv[0] ?? '';
  if (!isDirectory(request.cwd)) {
    return { kind: 'not_started', reason: `the working directory ${request.cwd} is not a directory`, errno: 'ENOTDIR' };
  }
  if (errno === 'ENOENT') {
    return { kind: 'not_started', reason: `the program ${program} (or its interpreter) was not found`, errno };
  }
  const cause = error instanceof Error ? error.message : errno;
  return { kind: 'not_started', reason: `the program ${program} could not be started: ${cause}`, errno };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
