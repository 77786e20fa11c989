/** `remit task …` in a workshop, as a person would type it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Workshop } from './workshop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export async function taskShell(workshop: Workshop, ...words: string[]): Promise<string> {
  const argv = ['--disable-warning=ExperimentalWarning', MAIN, 'task', ...words];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    cwd: workshop.repository,
    env: workshop.environment,
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
