import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startProcess } from './index.ts';

const env = { PATH: '/usr/bin:/bin' };

test('a long-lived program is spoken to on its streams and ends with its input', async () => {
  const cat = startProcess({ argv: ['cat'], cwd: '/', env });
  cat.stderr.resume();
  cat.stdin.write('one\n');
  const [first] = await once(cat.stdout, 'data');
  expect(String(first)).toBe('one\n');
  cat.stdin.end('two\n');
  expect(await text(cat.stdout)).toBe('two\n');
  expect(await cat.exited).toEqual({ kind: 'exited', exitCode: 0 });
});

test('stopping is polite first, then firm, and may be repeated', async () => {
  const polite = startProcess({ argv: ['sleep', '300'], cwd: '/', env });
  expect(await polite.stop(5_000)).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  expect(await polite.stop(5_000)).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  const deaf = startProcess({ argv: ['sh', '-c', 'trap "" TERM; echo up; while :; do sleep 1; done'], cwd: '/', env });
  await once(deaf.stdout, 'data');
  expect(await deaf.stop(50)).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
});

test('a program whose output comes on another descriptor is heard there alone, and its end there is known', async () => {
  const argv = ['sh', '-c', 'echo lost; echo kept >&7; exec 7>&-; exec sleep 300'];
  const running = startProcess({ argv, cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, stdoutFd: 7 });
  running.stderr.resume();
  expect(await text(running.stdout)).toBe('kept\n');
  expect(await running.stop(1_000)).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
});

test('a program counts as ended only when what its launcher told of has ended too', async () => {
  const gone = Promise.withResolvers<void>();
  const reports: string[] = [];
  const ended = (report: Buffer) => {
    reports.push(report.toString());
    return gone.promise;
  };
  const running = startProcess({ argv: ['sh', '-c', 'echo its child >&6'], cwd: '/', env, status: { fd: 6, ended } });
  running.stdout.resume();
  running.stderr.resume();
  let isOver = false;
  const over = running.exited.then(() => {
    isOver = true;
  });
  await expect.poll(() => reports).toEqual(['its child\n']);
  expect(isOver).toBe(false);
  gone.resolve();
  await over;
});

test('a program that cannot start is an outcome, and its streams are at their end', async () => {
  const missing = startProcess({ argv: ['no-such-program'], cwd: '/', env });
  expect(await missing.exited).toMatchObject({ kind: 'not_started', errno: 'ENOENT' });
  expect(await missing.stop(1)).toMatchObject({ kind: 'not_started' });
  expect(await text(missing.stdout)).toBe('');
  const script = startProcess({ argv: ['/no/such/program'], cwd: '/', env });
  expect(await script.exited).toMatchObject({ kind: 'not_started', errno: 'ENOENT' });
  expect(await script.stop(1)).toMatchObject({ kind: 'not_started' });
});
