import { spawn } from 'node:child_process';
import { locateExecutable } from './find-executable.ts';

export interface ForegroundOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the program reads from its standard input; it may go away without reading all of it. */
  readonly input: string;
  /** The descriptor of the terminal that it writes to. */
  readonly terminal: number;
  /** Ends the program when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Runs a program of the user that takes over the terminal, a pager, and waits until it ends. It stays in this process's own
 * group: what the person types, Ctrl-C too, is its to read. Answers false when it could not be started.
 */
export async function runInForeground(options: ForegroundOptions): Promise<boolean> {
  const [name = '', ...args] = options.argv;
  const program = locateExecutable(name, options.env['PATH'] ?? '');
  if (program === undefined) return false;
  const child = spawn(program, args, { env: { ...options.env }, stdio: ['pipe', options.terminal, options.terminal] });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const end = () => child.kill('SIGTERM');
  options.signal.addEventListener('abort', end, { once: true });
  if (options.signal.aborted) end();
  child.on('error', () => resolve(false));
  child.on('close', () => resolve(true));
  // Who quits a pager early closes the pipe.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);
  const ran = await promise;
  options.signal.removeEventListener('abort', end);
  return ran;
}
