import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toolContracts } from '../agent/index.ts';
import { canonicalJson } from '../base/index.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function workerTools(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'worker', 'tools', ...words],
    { encoding: 'utf8', timeout: 30_000, env: { PATH: process.env['PATH'] ?? '' } },
  );
  return { status, stdout, stderr };
}

test('remit worker tools --json prints every contract as canonical JSON', () => {
  expect(workerTools('--json')).toEqual({ status: 0, stdout: `${canonicalJson(toolContracts())}\n`, stderr: '' });
});

test('remit worker tools prints one line for each', () => {
  const { stdout } = workerTools();
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(toolContracts().map(({ name }) => name));
});
