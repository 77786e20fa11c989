import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processStartTime, type RunOptions, runProcess } from './index.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remit-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(argv: readonly string[], more: Partial<RunOptions> = {}) {
  return runProcess({ argv, cwd: folder, env: { PATH }, timeoutMs: 30_000, maxOutputBytes: 10_000, ...more });
}

const shell = (script: string, more: Partial<RunOptions> = {}) => run(['sh', '-c', script], more);
const node = (script: string, more: Partial<RunOptions> = {}) => run([process.execPath, '-e', script], more);

/** Waits for a process to be gone: bounded, and only as long as it takes. */
async function isGone(pidFile: string): Promise<boolean> {
  const pid = Number(readFileSync(join(folder, pidFile), 'utf8'));
  for (let look = 0; look < 100; look += 1) {
    if (processStartTime(pid) === undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

describe('how a program ended', () => {
  test('an exit is told with its number, 137 included', async () => {
    expect((await shell('exit 7')).outcome).toEqual({ kind: 'exited', exitCode: 7 });
    expect((await shell('exit 137')).outcome).toEqual({ kind: 'exited', exitCode: 137 });
  });

  test.each(['KILL', 'SEGV', 'TERM'])('death by SIG%s is told as that signal', async (name) => {
    expect((await shell(`kill -${name} $$`)).outcome).toEqual({ kind: 'signalled', signal: `SIG${name}` });
  });

  test('a program that ignores SIGTERM is timed out all the same', async () => {
    const result = await shell('trap "" TERM; echo ready; while :; do sleep 1; done', { timeoutMs: 300 });
    expect(result.outcome).toEqual({ kind: 'timed_out' });
  });

  test('an abort is told apart from a deadline, before the start too', async () => {
    const abort = new AbortController();
    const running = shell('echo x; sleep 300', { signal: abort.signal, onOutput: () => abort.abort() });
    expect((await running).outcome).toEqual({ kind: 'aborted' });
    expect((await shell('touch started', { signal: abort.signal })).outcome).toEqual({ kind: 'aborted' });
    expect(existsSync(join(folder, 'started'))).toBe(false);
  });

  test('a missing program, a missing folder and an impossible argv are not_started with their reason', async () => {
    expect((await run(['no-such-program'])).outcome).toMatchObject({ kind: 'not_started', errno: 'ENOENT' });
    expect((await run(['/no/such/program'])).outcome).toMatchObject({ kind: 'not_started', errno: 'ENOENT' });
    expect((await run(['true'], { cwd: join(folder, 'absent') })).outcome).toMatchObject({
      kind: 'not_started',
      errno: 'ENOTDIR',
    });
    expect((await run(['true', 'a\0b'])).outcome).toMatchObject({ kind: 'not_started' });
    expect((await run(['true', 'x'.repeat(300_000)])).outcome).toMatchObject({ kind: 'not_started', errno: 'E2BIG' });
    expect((await run([])).outcome).toMatchObject({ kind: 'not_started' });
  });
});

describe('what a program gets', () => {
  test('only the environment that it was given', async () => {
    const result = await run(['/usr/bin/env'], { env: { ONE: '1' } });
    expect(result.stdout.bytes.toString()).toBe('ONE=1\n');
  });

  test('arguments as they are, without a shell', async () => {
    const result = await run(['printf', '%s|', '$HOME', '`id`', 'a b', '*', ';']);
    expect(result.stdout.bytes.toString()).toBe('$HOME|`id`|a b|*|;|');
  });

  test('an empty stdin and no terminal', async () => {
    const result = await shell('read x; echo "read $?"; (: </dev/tty) 2>/dev/null || echo no terminal');
    expect(result.stdout.bytes.toString()).toBe('read 1\nno terminal\n');
  });

  test('a bare name is not looked up in relative entries of PATH', async () => {
    await shell('printf "#!/bin/sh\\necho planted\\n" > planted; chmod +x planted');
    expect((await run(['planted'], { env: { PATH: `.::${PATH}` } })).outcome.kind).toBe('not_started');
  });

  test('its input whole, and no crash when it does not read it', async () => {
    const input = Buffer.alloc(3_000_000, 'x');
    expect((await run(['wc', '-c'], { stdin: input })).stdout.bytes.toString().trim()).toBe('3000000');
    expect((await run(['true'], { stdin: input })).outcome).toEqual({ kind: 'exited', exitCode: 0 });
  });

  test('extra files complete at their descriptors', async () => {
    const extraFiles = [
      { fd: 5, data: Buffer.from('five') },
      { fd: 4, data: Buffer.alloc(500_000, 'y') },
    ];
    const result = await shell('cat <&5; wc -c <&4', { extraFiles });
    expect(result.stdout.bytes.toString()).toBe('five500000\n');
  });

  test('no open file that the host itself was started with', async () => {
    const look = 'for fd in /proc/$$/fd/*; do readlink $fd; done; cat <&9';
    const host = `
      import { runProcess } from '${new URL('./index.ts', import.meta.url).pathname}';
      const argv = ['sh', '-c', ${JSON.stringify(look)}];
      const result = await runProcess({ argv, cwd: '/', env: ${JSON.stringify({ PATH })}, timeoutMs: 30000, maxOutputBytes: 9999 });
      console.log(result.stdout.bytes.toString());`;
    const secret = join(folder, 'secret');
    const start = 'echo leaked > "$1"; exec 9<"$1"; exec "$2" --input-type=module -e "$3"';
    const result = await run(['sh', '-c', start, 'sh', secret, process.execPath, host]);
    expect(result.stdout.bytes.toString()).toContain('/dev/null');
    expect(result.stdout.bytes.toString()).not.toMatch(/leaked|secret/);
  });

  test('a descriptor to report on', async () => {
    const result = await shell('echo told >&3; echo said', { statusFd: 3 });
    expect([result.status.toString(), result.stdout.bytes.toString()]).toEqual(['told\n', 'said\n']);
  });
});

describe('output', () => {
  test('a flood is bounded, counted and digested', async () => {
    const result = await node('const b = Buffer.alloc(1e6, "z"); for (let i = 0; i < 50; i++) fs.writeSync(1, b)');
    const all = createHash('sha256');
    for (let index = 0; index < 50; index += 1) all.update(Buffer.alloc(1e6, 'z'));
    expect(result.stdout).toMatchObject({ totalBytes: 50e6, truncated: true, sha256: all.digest('hex') });
    expect(result.stdout.bytes.length).toBeLessThanOrEqual(10_000);
    expect(result.stderr).toMatchObject({ totalBytes: 0, truncated: false });
  });

  test('reaches the observer complete, in order and told apart by stream', async () => {
    const seen = { stdout: '', stderr: '' };
    const result = await shell('echo a; echo b >&2; echo c', {
      onOutput: (stream, chunk) => {
        seen[stream] += chunk.toString();
      },
    });
    expect(seen).toEqual({ stdout: 'a\nc\n', stderr: 'b\n' });
    expect(result.stdout.bytes.toString()).toBe('a\nc\n');
  });

  test('waits for an observer that answers with a promise', async () => {
    let inside = 0;
    let most = 0;
    await node('process.stdout.write("x".repeat(1e6))', {
      onOutput: async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      },
    });
    expect(most).toBe(1);
  });

  test('an observer that throws ends the program and its error comes back', async () => {
    const running = shell('echo x; sleep 300', {
      onOutput: () => {
        throw new Error('observer broke');
      },
    });
    await expect(running).rejects.toThrow('observer broke');
  });
});

describe('what a program leaves behind', () => {
  test('in its group is killed after a normal exit', async () => {
    const result = await shell('sleep 300 & echo $! > pid; exit 0');
    expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(await isGone('pid')).toBe(true);
  });

  test('in its group is killed at the deadline', async () => {
    await shell('(trap "" TERM; sleep 300) & echo $! > pid; sleep 300', { timeoutMs: 300 });
    expect(await isGone('pid')).toBe(true);
  });

  test('outside its group, holding stdout open, does not hold up the result', async () => {
    const result = await shell('setsid sleep 300 & echo $! > pid; echo done');
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    // It left the group: only a sandbox reaches it. Here the test cleans up.
    process.kill(pid, 'SIGKILL');
    expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(result.stdout.bytes.toString()).toBe('done\n');
  });
});
