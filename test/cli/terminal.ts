/** A person at a terminal: the real command in a pseudo-terminal that `script` (of every Linux) makes, typed at and read. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Workshop } from '../journeys/workshop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export const KEYS = { enter: '\r', down: '\u001b[B', interrupt: '\u0003', endOfInput: '\u0004' } as const;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Record<string, string>;
}

/** A command at work in a terminal. */
export interface Terminal {
  /** Settles when the screen showed this after what was waited for before; rejects when the command ends without it. */
  shows(part: string): Promise<void>;
  type(...keys: string[]): void;
  /** Everything that was written to the screen, with the codes that the terminal obeys. */
  raw(): string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

export function openTerminal(workshop: Workshop, words: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns = 100, rows = 60, environment = {} } = options;
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...words];
  const command = `stty cols ${columns} rows ${rows}; exec ${argv.map(quoted).join(' ')}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: workshop.repository,
    env: { ...workshop.environment, SHELL: '/bin/sh', TERM: 'xterm-256color', ...environment },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let written = '';
  let read = 0;
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  const screen = () => stripVTControlCharacters(written);
  const look = (part: string) => {
    const at = screen().indexOf(part, read);
    if (at < 0) return false;
    read = at + part.length;
    return true;
  };
  return {
    ended,
    raw: () => written,
    type: (...keys) => void child.stdin.write(keys.join('')),
    shows: (part) =>
      new Promise((found, missed) => {
        const onData = () => {
          if (!look(part)) return;
          child.stdout.off('data', onData);
          found();
        };
        child.stdout.on('data', onData);
        void ended.then(() => missed(new Error(`ended without showing ${part}; the screen showed ${screen()}`)));
        onData();
      }),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
