import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toolContracts } from '../agent/index.ts';
import { canonicalJson } from '../base/index.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function workerCommand(words: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'worker', ...words],
    {
      encoding: 'utf8',
      timeout: 30_000,
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...environment },
    },
  );
  return { status, stdout, stderr };
}

const workerTools = (...words: string[]) => workerCommand(['tools', ...words]);

const CONFIGURED = {
  REMIT_MODEL: 'deepseek:deepseek-v4-flash',
  DEEPSEEK_API_KEY: 'sk-never-shown',
  REMIT_REVIEWER_MODEL: 'openai-compatible:qwen3:8b',
  REMIT_REVIEWER_BASE_URL: 'http://127.0.0.1:11434/v1',
  REMIT_MAX_REQUESTS: '40',
};

test('remit worker models says what is configured, and never a key', () => {
  const { status, stdout, stderr } = workerCommand(['models'], CONFIGURED);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'worker    builtin',
    'model     deepseek:deepseek-v4-flash at https://api.deepseek.com, key from DEEPSEEK_API_KEY',
    'reviewer  openai-compatible:qwen3:8b at http://127.0.0.1:11434/v1, without a key',
    'effort    as the task says',
    'budget    40 requests',
    'context   128000 tokens',
    '',
  ]);
  const exact = workerCommand(['models', '--json'], CONFIGURED);
  expect(JSON.parse(exact.stdout)).toMatchObject({ worker: 'builtin', author: { key: 'DEEPSEEK_API_KEY' } });
  expect(stdout + exact.stdout).not.toContain('sk-never-shown');
});

test('remit worker models says in one sentence what is missing', () => {
  const { status, stdout, stderr } = workerCommand(['models'], { REMIT_MODEL: 'anthropic:claude' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(
    'No API key for anthropic:claude at api.anthropic.com: set REMIT_API_KEY or ANTHROPIC_API_KEY.',
  );
});

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
