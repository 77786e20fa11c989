/** A command whose progress on standard error is read while it runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Workshop } from '../journeys/workshop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Progressing {
  readonly child: ChildProcess;
  /** Settles when standard error holds this text; rejects when the command ends without it. */
  says(part: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
}

export function startProgressing(workshop: Workshop, words: readonly string[]): Progressing {
  const argv = ['--disable-warning=ExperimentalWarning', MAIN, ...words];
  const { repository: cwd, environment: env } = workshop;
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let err = '';
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const says = (part: string) =>
    new Promise<void>((found, missed) => {
      const look = () => {
        if (err.includes(part)) found();
      };
      child.stderr.on('data', look);
      void closed.then(() => missed(new Error(`ended without saying ${part}; it said ${err}`)));
      look();
    });
  return { child, says, ended: closed.then((code) => ({ code, err })) };
}
