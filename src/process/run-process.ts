import type { Readable } from 'node:stream';
import { type CapturedOutput, OutputCapture } from './captured-output.ts';
import { drain } from './drain.ts';
import type { Outcome } from './outcome.ts';
import { endGroup } from './process-group.ts';
import { type Child, type ExtraFile, spawnChild } from './spawn-child.ts';

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2_000;
/** The longest timer that Node can hold. */
const LONGEST_TIMER_MS = 2_147_483_647;
const STATUS_BYTES = 64 * 1024;

export interface RunOptions {
  /** A bare name is looked up in `env.PATH`; a path is taken as it is, relative to `cwd`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: empty, end of file at once. */
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How much of each of stdout and stderr is kept. */
  readonly maxOutputBytes: number;
  /** Sees every chunk as it comes. When it answers with a promise, reading that stream waits for it (backpressure). */
  readonly onOutput?: ((stream: 'stdout' | 'stderr', chunk: Buffer) => void | Promise<void>) | undefined;
  readonly extraFiles?: readonly ExtraFile[] | undefined;
  /** A descriptor on which the program reports about itself; the result's `status` has the first 64 KiB of it. */
  readonly statusFd?: number | undefined;
}

export interface ProcessResult {
  readonly outcome: Outcome;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Empty without `statusFd`. */
  readonly status: Buffer;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/**
 * Runs a program to its end. Never rejects for what the program does; rejects with the error of an `onOutput` that threw,
 * after the program was ended. At the deadline or an abort its process group gets SIGTERM and 2 s later SIGKILL; what is
 * left of the group after a normal end is killed. Resolves within about 2 s of the end whoever still holds the pipes.
 */
export async function runProcess(options: RunOptions): Promise<ProcessResult> {
  const startedAt = new Date().toISOString();
  const stdout = new OutputCapture(options.maxOutputBytes);
  const stderr = new OutputCapture(options.maxOutputBytes);
  const status = new OutputCapture(STATUS_BYTES);
  const outcome = await runChild(options, { stdout, stderr, status });
  return {
    outcome,
    stdout: stdout.finish(),
    stderr: stderr.finish(),
    status: status.finish().bytes,
    startedAt,
    finishedAt: new Date().toISOString(),
  };
}

type Captures = Readonly<Record<'stdout' | 'stderr' | 'status', OutputCapture>>;

async function runChild(options: RunOptions, captures: Captures): Promise<Outcome> {
  if (options.signal?.aborted) return { kind: 'aborted' };
  const child = spawnChild({ ...options, stdin: options.stdin === undefined ? 'empty' : 'pipe' });
  if ('kind' in child) return child;
  child.stdin?.end(options.stdin);
  const observer = observe(options, child, captures);
  const outcome = await endOf(child, options, observer.failed);
  await drain([child.stdout, child.stderr, child.status]);
  child.stdin?.destroy();
  if (observer.error !== undefined) throw observer.error;
  return outcome;
}

interface Observer {
  /** Fires when `onOutput` threw. */
  readonly failed: AbortSignal;
  readonly error: unknown;
}

function observe(options: RunOptions, child: Child, captures: Captures): Observer {
  const failure = new AbortController();
  const reading = async (stream: Readable | undefined, name: keyof Captures) => {
    for await (const chunk of stream ?? []) {
      captures[name].add(chunk as Buffer);
      if (name === 'status' || options.onOutput === undefined || failure.signal.aborted) continue;
      try {
        await options.onOutput(name, chunk as Buffer);
      } catch (error) {
        failure.abort(error);
      }
    }
  };
  for (const name of ['stdout', 'stderr', 'status'] as const) {
    // Giving up a pipe ends its reader with an error that says only that.
    reading(child[name], name).catch(() => {});
  }
  return {
    failed: failure.signal,
    get error() {
      return failure.signal.aborted ? failure.signal.reason : undefined;
    },
  };
}

/** The child's own end, or the end that we brought about. */
async function endOf(child: Child, options: RunOptions, observerFailed: AbortSignal): Promise<Outcome> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cause = new Promise<'timed_out' | 'aborted'>((resolve) => {
    timer = setTimeout(() => resolve('timed_out'), Math.min(options.timeoutMs, LONGEST_TIMER_MS));
    options.signal?.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal });
    observerFailed.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal });
  });
  try {
    const first = await Promise.race([child.exited, cause]);
    if (typeof first !== 'string') return first;
    await endGroup(child.pid, child.exited, GRACE_MS);
    return { kind: first };
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
