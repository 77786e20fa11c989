import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isSameProcess, processStartTime } from './process-identity.ts';
import { startDetached } from './start-detached.ts';

const place = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, stdin: '', timeoutMs: 20_000 };

function node(source: string): readonly string[] {
  return [process.execPath, '-e', source];
}

test('a program that says it is ready goes on alone, in a session of its own, although its output is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remit-detached-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'session');
  const goesOn = `
    process.stdout.on('error', () => {});
    process.stdin.on('data', (data) => console.log('ready ' + data)).on('end', () => {
      const session = require('node:fs').readFileSync('/proc/self/stat', 'utf8').split(' ')[5];
      setTimeout(() => { console.log('nobody reads this'); require('node:fs').writeFileSync(${JSON.stringify(file)}, session); }, 50);
    });`;
  const detached = await startDetached({ ...place, argv: node(goesOn), stdin: 'hello' });
  expect(detached).toMatchObject({ kind: 'started', line: 'ready hello' });
  const pid = detached.kind === 'started' ? detached.pid : 0;
  await expect.poll(() => readFileSync(file, { encoding: 'utf8', flag: 'a+' })).toBe(String(pid));
});

test('a program that ends without a word is told by its end', async () => {
  expect(await startDetached({ ...place, argv: node('process.exit(3)') })).toEqual({ kind: 'exited', exitCode: 3 });
});

test('a program that is not there is told as such', async () => {
  expect(await startDetached({ ...place, argv: ['remit-no-such-program'] })).toMatchObject({ kind: 'not_started' });
});

test('a program that stays silent is not waited for', async () => {
  const waits = node('process.stdin.on("end", () => setTimeout(() => {}, 200))');
  const before = processStartTime(process.pid) ?? '';
  expect(await startDetached({ ...place, argv: waits, timeoutMs: 1 })).toEqual({ kind: 'silent' });
  expect(isSameProcess(process.pid, before)).toBe(true);
});
