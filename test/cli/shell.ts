/** A person at a shell: the real command as a child process, in the environment of a workshop. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Workshop } from '../journeys/workshop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Many commands begin one after the other: Node keeps what it compiled. */
const compiled = ({ directory }: Workshop) => ({ NODE_COMPILE_CACHE: join(directory, 'compiled') });

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
}

export function startRemit(workshop: Workshop, words: readonly string[], options: ShellOptions = {}): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
    cwd: options.cwd ?? workshop.repository,
    env: { ...workshop.environment, ...compiled(workshop), ...options.environment },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  let out = '';
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  const err = text(child.stderr);
  return {
    child,
    ended: closed.then(async (code) => ({ code, out, err: await err })),
    prints: (part) =>
      new Promise((found, missed) => {
        const look = () => {
          if (!out.includes(part)) return;
          child.stdout.off('data', look);
          found();
        };
        child.stdout.on('data', look);
        void closed.then(() => missed(new Error(`ended without printing ${part}; it printed ${out}`)));
        look();
      }),
  };
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
