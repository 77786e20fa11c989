import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInForeground } from './run-in-foreground.ts';

/** A file stands for the terminal: what is written to it can be read. */
function openPaper() {
  const folder = mkdtempSync(join(tmpdir(), 'remit-foreground-'));
  const path = join(folder, 'paper');
  const terminal = openSync(path, 'w');
  onTestFinished(() => {
    closeSync(terminal);
    rmSync(folder, { recursive: true, force: true });
  });
  return { terminal, read: () => readFileSync(path, 'utf8') };
}

const env = { PATH: process.env['PATH'], GREETING: 'hello' };
const signal = new AbortController().signal;

test('gives a program its input, the terminal and the environment, and waits for its end', async () => {
  const { terminal, read } = openPaper();
  const argv = ['sh', '-c', 'cat; echo "$GREETING" >&2'];
  expect(await runInForeground({ argv, env, input: 'text\n', terminal, signal })).toBe(true);
  expect(read()).toBe('text\nhello\n');
});

test('bears a program that goes away without reading all of it', async () => {
  const { terminal } = openPaper();
  expect(await runInForeground({ argv: ['true'], env, input: 'x'.repeat(5_000_000), terminal, signal })).toBe(true);
});

test('answers false when the program is not there', async () => {
  const { terminal } = openPaper();
  expect(await runInForeground({ argv: ['no-such-pager'], env, input: '', terminal, signal })).toBe(false);
  expect(await runInForeground({ argv: [], env, input: '', terminal, signal })).toBe(false);
});

test('ends the program when the signal aborts, before or after it began', async () => {
  const { terminal } = openPaper();
  const abort = new AbortController();
  const running = runInForeground({ argv: ['sleep', '300'], env, input: '', terminal, signal: abort.signal });
  abort.abort();
  expect(await running).toBe(true);
  expect(await runInForeground({ argv: ['sleep', '300'], env, input: '', terminal, signal: abort.signal })).toBe(true);
});
