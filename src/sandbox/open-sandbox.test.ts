import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostProcesses } from '../../test/host-processes.ts';
import { RemitError } from '../base/index.ts';
import { findExecutable, processStartTime, startProcess } from '../process/index.ts';
import { appears, noneLeft, processesWith } from './fixtures/host-processes.ts';
import { launcherFailure, openSandbox, type Sandbox, type SandboxProfile } from './index.ts';

const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const bwrap = findExecutable('bwrap');
if (bwrap === undefined) throw new Error('These tests need bubblewrap: install the package "bubblewrap".');

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-open-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program in place of bwrap. The options come on descriptor 3. */
function shim(script: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\nexec ${bwrap} "$@"\n`);
  chmodSync(join(bin, 'bwrap'), 0o755);
  return bin;
}

function profile(more: Partial<SandboxProfile> = {}): SandboxProfile {
  const base = {
    cwd: folder,
    writable: [folder],
    readOnly: [],
    hidden: [],
    environment: { PATH },
    network: 'none',
  } as const;
  return { ...base, home: { kind: 'private' }, ...more };
}

async function ready(searchPath?: string, allowUnsandboxed = false): Promise<Sandbox> {
  const opened = await openSandbox({ allowUnsandboxed, searchPath });
  if (opened.kind !== 'ready') throw new Error(`${opened.reason} ${opened.advice}`);
  return opened.sandbox;
}

describe('opening the sandbox', () => {
  test('answers an engine that was proven, with its absolute path and version', async () => {
    expect((await ready()).engine).toEqual({
      kind: 'bubblewrap',
      executable: bwrap,
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  test('probes with the flags of a real run: a launcher that fails at --proc is unavailable', async () => {
    const bin = shim(
      `[ "$1" = --args ] && tr '\\0' '\\n' < /proc/self/fd/3 | grep -qx -- --proc && { echo "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" >&2; exit 1; }`,
    );
    const opened = await openSandbox({ allowUnsandboxed: false, searchPath: bin });
    expect(opened).toMatchObject({ kind: 'unavailable', cause: 'proc_refused' });
  });

  test.each([
    ['bwrap: setting up uid map: Permission denied', 'apparmor', 'apparmor_parser'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor', 'apparmor_parser'],
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      'user_namespaces',
      'max_user_namespaces',
    ],
    ['bwrap: Creating new namespace failed: Operation not permitted', 'user_namespaces', 'max_user_namespaces'],
    ['bwrap: Unknown option --size', 'too_old', '0.8'],
    ['something else entirely', 'unknown', 'by hand'],
  ])('recognises %j and says what helps', async (message, cause, advice) => {
    const bin = shim(`echo "${message}" >&2; exit 1`);
    const opened = await openSandbox({ allowUnsandboxed: false, searchPath: bin });
    expect(opened).toMatchObject({
      kind: 'unavailable',
      cause,
      reason: message,
      advice: expect.stringContaining(advice),
    });
  });

  test('says how to get a launcher that is missing, and never takes one from a relative entry', async () => {
    shim('exit 0');
    const before = process.cwd();
    process.chdir(folder);
    try {
      const opened = await openSandbox({ allowUnsandboxed: false, searchPath: 'bin:./bin:' });
      expect(opened).toMatchObject({ kind: 'unavailable', cause: 'missing' });
    } finally {
      process.chdir(before);
    }
  });

  test('a launcher that fails later is a launcher failure, not a failing program', async () => {
    const bin = shim(`[ -e ${folder}/broken ] && { echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; }`);
    const sandbox = await ready(bin);
    const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
    expect((await sandbox.run(profile(), ['true'], limits)).outcome).toEqual({ kind: 'exited', exitCode: 0 });
    writeFileSync(join(folder, 'broken'), '');
    expect((await sandbox.run(profile(), ['true'], limits)).outcome).toMatchObject({
      kind: 'launcher_failed',
      cause: 'apparmor',
    });
    rmSync(bin, { recursive: true });
    expect((await sandbox.run(profile(), ['true'], limits)).outcome).toMatchObject({
      kind: 'launcher_failed',
      cause: 'missing',
    });
  });
});

describe('running without a sandbox', () => {
  test('is never preferred to one that works', async () => {
    expect((await ready(undefined, true)).engine.kind).toBe('bubblewrap');
  });

  test('needs permission, says so loudly, and keeps environment and home', async () => {
    const sandbox = await ready(join(folder, 'nowhere'), true);
    expect(sandbox.engine).toMatchObject({ kind: 'unconfined', warning: expect.stringContaining('NOT SANDBOXED') });
    const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
    const result = await sandbox.run(profile(), ['sh', '-c', 'touch ~/x && echo $HOME; env | wc -l; exit 3'], limits);
    expect(result).toMatchObject({ confined: false, outcome: { kind: 'exited', exitCode: 3 } });
    expect(existsSync(result.stdout.bytes.toString().split('\n')[0] ?? '/')).toBe(false);
    expect((await sandbox.run(profile(), ['no-such-program'], limits)).outcome.kind).toBe('program_not_found');
    expect((await sandbox.run(profile({ cwd: '/absent' }), ['true'], limits)).outcome.kind).toBe('cwd_not_found');
  });
});

describe('launching a long-lived program', () => {
  test('it is spoken to on its streams, and gone with everything it started when it is stopped', async () => {
    const sandbox = await ready();
    const mark = `launched-${process.pid}`;
    const launch = sandbox.launch(profile(), [
      'sh',
      '-c',
      `setsid -f sh -c 'while :; do sleep 1; done' ${mark} >/dev/null 2>&1; exec cat`,
      mark,
    ]);
    const worker = startProcess(launch);
    worker.stderr.resume();
    const said = text(worker.stdout);
    worker.stdin.write('hello\n');
    await appearsInList(mark);
    worker.stdin.write('again\n');
    await new Promise((resolve) => worker.stdout.once('data', resolve));
    await worker.stop(1_000);
    expect(await said).toContain('hello');
    expect(await noneLeft(mark)).toBe(true);
  });

  test('has ended only when every process of its box has, however long the kernel takes to end them', async () => {
    const sandbox = await ready();
    const mark = join(folder, 'large');
    // What a process holds is freed before it counts as dead: this one takes a while, its launcher none.
    const large = `const held = Buffer.alloc(400e6, 1); require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); setTimeout(() => held, 60_000)`;
    const worker = startProcess(sandbox.launch(profile(), [process.execPath, '-e', large, mark]));
    worker.stdout.resume();
    worker.stderr.resume();
    await appears(mark);
    // By number: one that is being ended has lost its arguments already.
    const all = hostProcesses().filter(({ commandLine }) => commandLine.includes(mark));
    const inside = all.map(({ pid }) => pid).filter((pid) => pid !== worker.pid);
    expect(inside.length).toBeGreaterThan(0);
    await worker.stop(5_000);
    expect(inside.filter((pid) => processStartTime(pid) !== undefined)).toEqual([]);
  });

  test('it is known to have closed its output although it lives on', async () => {
    const sandbox = await ready();
    const worker = startProcess(sandbox.launch(profile(), ['sh', '-c', 'echo last; exec >&-; exec sleep 300']));
    worker.stderr.resume();
    expect(await text(worker.stdout)).toBe('last\n');
    expect(processStartTime(worker.pid)).toBeDefined();
    await worker.stop(1_000);
  });

  test('its launcher’s failure can be told from its stderr', async () => {
    const sandbox = await ready();
    const launch = sandbox.launch(profile(), ['true']);
    rmSync(folder, { recursive: true });
    const worker = startProcess(launch);
    worker.stdout.resume();
    expect(launcherFailure(await text(worker.stderr))).toMatchObject({ cause: 'path' });
    expect(launcherFailure('a stack trace\nbwrap is not mentioned')).toBeUndefined();
  });

  test('a profile that cannot be enforced is refused before anything starts', async () => {
    const sandbox = await ready();
    for (const wrong of [
      { writable: ['/absent'] },
      { readOnly: ['relative'] },
      { hidden: ['relative'] },
      { hidden: ['/'] },
    ]) {
      expect(() => sandbox.launch(profile(wrong), ['true'])).toThrow(RemitError);
    }
    expect(() => sandbox.launch(profile(), [])).toThrow(RemitError);
  });
});

async function appearsInList(mark: string): Promise<void> {
  for (let look = 0; look < 400 && processesWith(mark).length === 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Until the box's first process has a session of its own: the launcher's group is no longer its. */
async function leadsASession(mark: string): Promise<void> {
  const sessionOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[3]);
  for (let look = 0; look < 400; look += 1) {
    const boxes = hostProcesses().filter(({ words, commandLine }) => words[0] === bwrap && commandLine.includes(mark));
    if (boxes.length === 2 && boxes.some(({ pid }) => sessionOf(pid) === pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the box did not come so far');
}

describe('the end of the host process', () => {
  test('by SIGKILL takes the box down, daemons included', async () => {
    const mark = `held-${process.pid}`;
    const argv = [process.execPath, join(import.meta.dirname, 'fixtures', 'hold-box.ts'), folder, mark];
    const host = startProcess({ argv, cwd: '/', env: { PATH } });
    host.stderr.resume();
    await new Promise((resolve) => host.stdout.once('data', resolve));
    expect(processesWith(mark).filter((line) => line.includes('while :')).length).toBeGreaterThanOrEqual(2);
    process.kill(host.pid, 'SIGKILL');
    await host.exited;
    expect(await noneLeft(mark)).toBe(true);
  });

  test('by an abort takes the box down', async () => {
    const abort = new AbortController();
    const sandbox = await ready();
    const mark = `aborted-${process.pid}`;
    const running = sandbox.run(profile(), ['sh', '-c', 'touch up; while :; do sleep 1; done', mark], {
      timeoutMs: 50_000,
      maxOutputBytes: 100,
      signal: abort.signal,
    });
    await appears(join(folder, 'up'));
    abort.abort();
    expect((await running).outcome).toEqual({ kind: 'aborted' });
    expect(processesWith(mark)).toEqual([]);
  });

  test.runIf(findExecutable('strace'))('by an abort takes a box down that is still being made', async () => {
    // bubblewrap ties the box to its own life only after this call, which takes a second here.
    const slowly = '-f -o /dev/null -e trace=setsid -e inject=setsid:delay_exit=1000000';
    const bin = shim(`case "$*" in *unfinished*) exec strace ${slowly} ${bwrap} "$@";; esac`);
    const sandbox = await ready(`${bin}:${PATH}`);
    const abort = new AbortController();
    const mark = `unfinished-${process.pid}`;
    const running = sandbox.run(profile(), ['sh', '-c', 'sleep 20', mark], {
      timeoutMs: 50_000,
      maxOutputBytes: 100,
      signal: abort.signal,
    });
    await leadsASession(mark);
    abort.abort();
    expect((await running).outcome).toEqual({ kind: 'aborted' });
    expect(processesWith(mark)).toEqual([]);
  });
});
