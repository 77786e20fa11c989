/** A person at a shell: the real command as a child process, in the environment of a workshop. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Workshop } from '../journeys/workshop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ShellOptions {
  readonly input?: string;
  readonly environment?: Record<string, string>;
  readonly cwd?: string;
}

/** One command that runs; `ended` settles with what it printed. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Settles when standard output holds this text; rejects when the command ends without it. */
  prints(part: string): Promise<void>;
  /** The same of standard error. */
  says(part: string): Promise<void>;
}

export function startRemit(workshop: Workshop, words: readonly string[], options: ShellOptions = {}): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
    cwd: options.cwd ?? workshop.repository,
    env: { ...workshop.environment, ...options.environment },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  const [out, err] = [new Heard(child.stdout, closed), new Heard(child.stderr, closed)];
  return {
    child,
    ended: closed.then((code) => ({ code, out: out.text, err: err.text })),
    prints: (part) => out.holds(part),
    says: (part) => err.holds(part),
  };
}

/** What came out of a stream so far. */
class Heard {
  text = '';
  readonly #stream: Readable;
  readonly #closed: Promise<unknown>;

  constructor(stream: Readable, closed: Promise<unknown>) {
    this.#stream = stream;
    this.#closed = closed;
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk;
    });
  }

  holds(part: string): Promise<void> {
    return new Promise((found, missed) => {
      const look = () => {
        if (!this.text.includes(part)) return;
        this.#stream.off('data', look);
        found();
      };
      this.#stream.on('data', look);
      void this.#closed.then(() => missed(new Error(`ended without ${part} in its output, which was ${this.text}`)));
      look();
    });
  }
}

/** Runs one command to its end. */
export function remit(workshop: Workshop, words: readonly string[], options: ShellOptions = {}): Promise<Ended> {
  return startRemit(workshop, words, options).ended;
}

/** The JSON object that a command printed; fails when it printed anything else. */
export async function remitJson(workshop: Workshop, words: readonly string[], options: ShellOptions = {}) {
  const { code, out, err } = await remit(workshop, [...words, '--json'], options);
  if (err !== '') throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}
