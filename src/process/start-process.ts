import { PassThrough, type Readable, type Writable } from 'node:stream';
import { drain } from './drain.ts';
import type { Outcome } from './outcome.ts';
import { endGroup } from './process-group.ts';
import { type ExtraFile, spawnChild } from './spawn-child.ts';

export interface StartOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly extraFiles?: readonly ExtraFile[] | undefined;
  /** For a launcher that hands its output on: a descriptor (3 or higher) that is read instead of 1. */
  readonly stdoutFd?: number | undefined;
}

/** A program that lives as long as its owner wants: who starts it must call `stop` or await `exited`. */
export interface RunningProcess {
  /** 0 when it did not start. */
  readonly pid: number;
  readonly stdin: Writable;
  /** Must be read by the owner; closed at the latest 2 s after the program's end. Pausing it is backpressure. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Never rejects. `not_started` when the system refused; what is left of the process group is killed first. */
  readonly exited: Promise<Outcome>;
  /** SIGTERM to the process group, `graceMs`, SIGKILL. Answers how it ended; may be called at any time, and again. */
  stop(graceMs: number): Promise<Outcome>;
}

/** Starts a long-lived program, for example a worker that speaks a protocol on its standard streams. */
export function startProcess(options: StartOptions): RunningProcess {
  const child = spawnChild({ ...options, stdin: 'pipe' });
  if ('kind' in child) return neverStarted(child);
  const { pid, stdout, stderr, exited } = child;
  void exited.then(() => drain([stdout, stderr])).then(() => child.stdin?.destroy());
  return {
    pid,
    stdin: child.stdin ?? new PassThrough(),
    stdout,
    stderr,
    exited,
    async stop(graceMs) {
      await endGroup(pid, exited, graceMs);
      // Not `exited` itself: a process that even SIGKILL does not end at once must not hold up its owner.
      return Promise.race([exited, Promise.resolve<Outcome>({ kind: 'signalled', signal: 'SIGKILL' })]);
    },
  };
}

function neverStarted(outcome: Outcome): RunningProcess {
  const stdin = new PassThrough();
  stdin.destroy();
  const exited = Promise.resolve(outcome);
  const ended = () => new PassThrough().end();
  return { pid: 0, stdin, stdout: ended(), stderr: ended(), exited, stop: () => exited };
}
