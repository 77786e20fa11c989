import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isSameProcess, processStartTime, startProcess } from './index.ts';

test('a living process is recognised, another mark or a dead process is not', async () => {
  const sleeper = startProcess({ argv: ['/bin/sleep', '300'], cwd: '/', env: {} });
  const mark = processStartTime(sleeper.pid);
  expect(mark).toBeDefined();
  expect(isSameProcess(sleeper.pid, mark ?? '')).toBe(true);
  expect(isSameProcess(sleeper.pid, `${mark}0`)).toBe(false);
  await sleeper.stop(1_000);
  expect(isSameProcess(sleeper.pid, mark ?? '')).toBe(false);
});

test('two processes have marks of their own, and a process keeps its mark', () => {
  const first = processStartTime(process.pid);
  expect(processStartTime(process.pid)).toBe(first);
  const dead = spawnSync('/bin/true').pid;
  expect(processStartTime(dead)).toBeUndefined();
});

test.each([0, -1, 1.5, Number.NaN])('%d is no process', (pid) => {
  expect(processStartTime(pid)).toBeUndefined();
});
