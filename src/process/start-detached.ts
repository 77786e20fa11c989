import { createInterface } from 'node:readline';
import type { Outcome } from './outcome.ts';
import { spawnChild } from './spawn-child.ts';

export interface DetachedOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Longest wait for the first line of its output, in milliseconds. */
  readonly timeoutMs: number;
}

export type Detached =
  | { readonly kind: 'started'; readonly pid: number; readonly line: string }
  | { readonly kind: 'silent' }
  | Outcome;

/**
 * Starts a program that outlives this process, in a session of its own, and waits for its first line of output, by which it
 * says that it is ready. Afterwards nothing connects the two: it must bear that its output streams are closed.
 */
export async function startDetached(options: DetachedOptions): Promise<Detached> {
  const child = spawnChild({ ...options, stdin: 'pipe' });
  if ('kind' in child) return child;
  child.stderr.resume();
  child.stdin?.end(options.stdin);
  const { promise: line, resolve } = Promise.withResolvers<Detached>();
  const lines = createInterface({ input: child.stdout });
  lines.once('line', (text) => resolve({ kind: 'started', pid: child.pid, line: text }));
  const timer = setTimeout(() => resolve({ kind: 'silent' }), options.timeoutMs);
  const detached = await Promise.race([line, child.exited]);
  clearTimeout(timer);
  lines.close();
  child.letGo();
  return detached;
}
