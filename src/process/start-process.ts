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
  /** For a launcher that reports about itself, on a descriptor (3 or higher). */
  readonly status?: StatusReport | undefined;
}

/** At most 64 KiB of a report are kept. */
export interface StatusReport {
  readonly fd: number;
  /** Settles when what the report tells of has ended too; only then does the program count as ended. Never rejects. */
  ended(report: Buffer): Promise<void>;
}

const MAX_REPORT_BYTES = 64 * 1024;

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
  const child = spawnChild({ ...options, stdin: 'pipe', statusFd: options.status?.fd });
  if ('kind' in child) return neverStarted(child);
  const { pid, stdout, stderr } = child;
  const report = readReport(child.status);
  const exited = child.exited.then(async (outcome) => {
    await options.status?.ended(report());
    return outcome;
  });
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

/** Answers what has come so far: a report that holds its reader up is not waited for. */
function readReport(stream: Readable | undefined): () => Buffer {
  let report = Buffer.alloc(0);
  stream?.on('data', (chunk: Buffer) => {
    if (report.length < MAX_REPORT_BYTES) report = Buffer.concat([report, chunk]);
  });
  return () => report;
}

function neverStarted(outcome: Outcome): RunningProcess {
  const stdin = new PassThrough();
  stdin.destroy();
  const exited = Promise.resolve(outcome);
  const ended = () => new PassThrough().end();
  return { pid: 0, stdin, stdout: ended(), stderr: ended(), exited, stop: () => exited };
}
