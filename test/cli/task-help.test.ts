import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

function remit(words: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
    env,
    encoding: 'utf8',
  });
}

test.each([
  ['task'],
  ['task list'],
  ['task show'],
  ['task watch'],
  ['task diff'],
  ['task steer'],
  ['task respond'],
  ['task finalize'],
  ['task cancel'],
  ['task close'],
  ['completion'],
])('remit %s --help fits a terminal and shows an example', (command) => {
  const { status, stdout, stderr } = remit([...command.split(' '), '--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/Examples?:\n {2}remit /);
  expect(stdout.split('\n').filter((line) => line.length > 81)).toEqual([]);
});

test.each([
  ['task'],
  ['task nonsense'],
  ['task show'],
  ['task watch x --until never'],
  ['task finalize x --revision 1.5'],
  ['task finalize x --tree abc'],
  ['task steer x'],
  ['completion csh'],
])('remit %s is bad input, explained on standard error alone', (command) => {
  const { status, stdout, stderr } = remit(command.split(' '));
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).not.toBe('');
});
