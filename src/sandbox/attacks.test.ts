import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BoxOptions, boxUsers, cannotAct, folderOf, runAs } from './fixtures/box-user.ts';
import { appears, noneLeft, processesWith } from './fixtures/host-processes.ts';
import type { SandboxProfile } from './index.ts';

const node = process.execPath;
const PATH = `${dirname(node)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;

describe.each(boxUsers())('in the box of $name', (user) => {
  let obstacle: string | undefined;
  let folder: string;
  beforeAll(async () => {
    obstacle = await cannotAct(user);
  });
  beforeEach((context) => {
    context.skip(obstacle !== undefined, obstacle);
    folder = folderOf(user);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function profile(more: Partial<SandboxProfile> = {}): SandboxProfile {
    return {
      cwd: folder,
      writable: [folder],
      readOnly: [],
      hidden: [],
      home: { kind: 'private' },
      environment: { PATH },
      network: 'none',
      ...more,
    };
  }

  const shell = (script: string, more: Partial<SandboxProfile> = {}, options: BoxOptions = {}) =>
    runAs(user, profile(more), ['sh', '-c', script], options);
  const script = (source: string, more: Partial<SandboxProfile> = {}) =>
    runAs(user, profile(more), [node, '-e', source]);

  /** A folder or file below the user's folder, readable for everybody. */
  function place(path: string, content?: string): string {
    const full = join(folder, path);
    mkdirSync(content === undefined ? full : dirname(full), { recursive: true });
    if (content !== undefined) writeFileSync(full, content);
    return full;
  }

  describe('the disk', () => {
    test('writing works in the writable folder, hard links and renames included, and the files are the user’s', async () => {
      const result = await shell('echo a > a && ln a b && mv b c && chmod 700 c && cat c');
      expect(result).toMatchObject({ outcome: { kind: 'exited', exitCode: 0 }, stdout: 'a\n' });
      expect(statSync(join(folder, 'a')).uid).toBe(user.uid);
      expect(statSync(join(folder, 'a')).nlink).toBe(2);
    });

    test('nothing else can be written: not the system, not the folder beside, not what is read-only inside', async () => {
      const work = place('work');
      const kept = place('work/kept/file', 'original');
      const beside = place('beside/file', 'original');
      for (const path of [work, dirname(kept), kept, dirname(beside), beside]) chmodSync(path, 0o777);
      const attempts = [
        'echo x > /etc/remit-was-here',
        'echo x > /usr/remit-was-here',
        `echo x > ${beside}`,
        `touch ${dirname(beside)}/new`,
        `echo x > ${kept}`,
        `rm -f ${kept}`,
        `mv ${dirname(kept)} ${work}/moved`,
        `mv ${work} ${folder}/moved`,
        'echo x > /dev/remit-was-here',
      ];
      const result = await shell(
        attempts.map((attempt) => `(${attempt}) 2>/dev/null && echo 'WORKED: ${attempt}'`).join('\n'),
        {
          cwd: work,
          writable: [work],
          readOnly: [dirname(kept), dirname(beside)],
        },
      );
      expect(result.stdout).toBe('');
      expect([readFileSync(kept, 'utf8'), readFileSync(beside, 'utf8')]).toEqual(['original', 'original']);
    });

    test('the host’s disk, kernel settings and devices stay out of reach for whoever tries to mount', async () => {
      const attempts = [
        'mount -o remount,rw,bind /',
        'mount -t tmpfs none /mnt',
        'umount /tmp',
        'unshare -Urm mount -o remount,rw,bind /',
        'unshare -Urm umount /proc/sys',
        `unshare -Urm sh -c 'mount -t sysfs s /tmp && mount -o remount,rw /tmp && echo 0 > /tmp/kernel/profiling'`,
        'unshare -Urmpf --mount-proc sh -c "echo 60 > /proc/sys/vm/swappiness"',
        'v=$(cat /proc/sys/kernel/core_pattern); echo "$v" > /proc/sys/kernel/core_pattern',
        'v=$(cat /proc/sys/vm/swappiness); echo "$v" > /proc/sys/vm/swappiness',
        'echo h > /proc/sysrq-trigger',
        'mknod /tmp/disk b 254 0',
        'chroot / true',
      ];
      const result = await shell(
        attempts.map((attempt) => `(${attempt}) 2>/dev/null && echo 'WORKED: ${attempt}'`).join('\n'),
      );
      expect(result.stdout).toBe('');
    });

    test('what is hidden is empty, cannot be written, and an allowed folder inside it still works', async () => {
      const inside = place('secret/deep/allowed');
      place('secret/key', 'the key');
      const file = place('token', 'the token');
      for (const path of [inside, file]) chmodSync(path, 0o777);
      const result = await shell(
        `ls secret; cat token; (echo x > secret/new) 2>/dev/null && echo WORKED; (echo x > token) 2>/dev/null && echo WORKED; ` +
          'echo fine > secret/deep/allowed/file; ls secret/deep; test -r secret/key && echo SEEN',
        { writable: [inside], readOnly: [folder], hidden: [join(folder, 'secret'), file, join(folder, 'absent')] },
      );
      expect(result.stdout).toBe('deep\nallowed\n');
      expect(readFileSync(join(inside, 'file'), 'utf8')).toBe('fine\n');
      expect(readFileSync(file, 'utf8')).toBe('the token');
    });

    test('a hidden link hides what it leads to', async () => {
      place('elsewhere/key', 'the key');
      symlinkSync('elsewhere', join(folder, 'link'));
      const result = await shell('cat link/key elsewhere/key', { hidden: [join(folder, 'link')] });
      expect(result.stdout).toBe('');
    });

    test('credential stores of the home are hidden without being named', async () => {
      for (const store of ['.ssh/id', '.aws/credentials', '.netrc', '.config/gh/hosts.yml'])
        place(`home/${store}`, 'SECRET');
      place('home/.profile', 'ordinary');
      const home = join(folder, 'home');
      const result = await shell(
        `cat ${home}/.ssh/id ${home}/.aws/* ${home}/.netrc ${home}/.config/gh/* ${home}/.profile`,
        {},
        {
          hostEnvironment: { HOME: home },
        },
      );
      expect(result.stdout).toBe('ordinary');
    });

    test('a path behind a link is refused, and nothing runs', async () => {
      const real = place('real');
      symlinkSync(real, join(folder, 'link'));
      for (const path of [join(folder, 'link'), join(folder, 'absent'), 'relative', '/']) {
        const result = await shell('touch ran', { writable: [folder, path] });
        expect(result.outcome).toMatchObject({ kind: 'launcher_failed', cause: 'path' });
      }
      expect(existsSync(join(folder, 'ran'))).toBe(false);
    });

    test('a NUL in a value cannot start another option', async () => {
      const result = await shell('true', { environment: { PATH, X: '\0--bind\0/\0/' } });
      expect(result.outcome).toMatchObject({ kind: 'launcher_failed', reason: expect.stringContaining('NUL') });
    });

    test('folders in memory are bounded', async () => {
      const result = await shell('for d in /tmp /var/tmp /run /dev/shm; do df -k --output=size $d | tail -n 1; done');
      const sizes = result.stdout.trim().split('\n').map(Number);
      expect(sizes).toHaveLength(4);
      for (const size of sizes) expect(size).toBeLessThanOrEqual(2 * 1024 * 1024);
    });
  });

  describe('the home', () => {
    test('is private, writable and gone afterwards', async () => {
      const first = await shell(
        'cd ~ && mkdir -p "$HOME/.cache/x" && echo kept > .cache/x/file && cat .cache/x/file; echo $HOME',
      );
      expect(first.stdout).toBe('kept\n/tmp/home\n');
      expect((await shell('ls -A "$HOME"; ls /tmp')).stdout).not.toContain('.cache');
      expect(existsSync('/tmp/home/.cache/x')).toBe(false);
    });

    test('can be a folder that stays', async () => {
      const home = place('agent-home');
      chmodSync(home, 0o777);
      await shell('echo kept > ~/file', { writable: [], home: { kind: 'directory', path: home } });
      expect(readFileSync(join(home, 'file'), 'utf8')).toBe('kept\n');
    });
  });

  describe('the network', () => {
    test('none: a listener on the host’s loopback is not reachable, and nothing outside', async () => {
      const host = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
      await once(host, 'listening');
      const { port } = host.address() as AddressInfo;
      const reach = (address: string, at: number) =>
        `require('net').connect(${at}, '${address}').on('connect', () => console.log('REACHED')).on('error', (e) => console.log(e.code))`;
      const result = await script(`${reach('127.0.0.1', port)};${reach('192.0.2.1', 80)}`);
      host.close();
      expect(result.stdout.split('\n').sort()).toEqual(['', 'ECONNREFUSED', 'ENETUNREACH']);
    });

    test('none: two programs inside talk over 127.0.0.1, ::1 and localhost', async () => {
      const talk = `
        const net = require('net'), { spawnSync, spawn } = require('child_process');
        const hosts = ['127.0.0.1', '::1', 'localhost'];
        let left = hosts.length;
        for (const host of hosts) {
          const server = net.createServer((s) => s.end('hello')).listen(0, host, () => {
            const client = spawn(process.execPath, ['-e', 'require("net").connect(' + server.address().port + ', "' + host + '").pipe(process.stdout)'], { stdio: ['ignore', 'inherit', 'inherit'] });
            client.on('exit', () => { if (--left === 0) process.exit(); });
          });
        }`;
      expect((await script(talk)).stdout).toBe('hellohellohello');
    });

    test('Unix sockets work where they are allowed, and cannot be made where they are not', async () => {
      const listen = `require('net').createServer().listen('${'/tmp/own.sock'}', () => { console.log('listening'); process.exit(); }).on('error', (e) => console.log(e.code))`;
      expect((await script(listen)).stdout).toBe('listening\n');
      expect((await script(listen, { unixSockets: 'refused' })).stdout).not.toContain('listening');
      expect((await script(listen, { network: 'host' })).stdout).not.toContain('listening');
    });

    test('a socket file of the host cannot be reached although its folder can be seen', async () => {
      const sockets = place('sockets');
      chmodSync(sockets, 0o777);
      const path = join(sockets, 'engine.sock');
      const host = createServer((socket) => socket.end('REACHED')).listen(path);
      await once(host, 'listening');
      chmodSync(path, 0o777);
      const work = place('work');
      const connect = `require('net').connect('${path}').on('data', (d) => console.log(String(d))).on('error', (e) => console.log('refused'))`;
      for (const unixSockets of ['allowed', 'refused'] as const) {
        const result = await script(connect, { cwd: work, writable: [], readOnly: [folder], unixSockets });
        expect(result.stdout).toBe('refused\n');
      }
      host.close();
    });
  });

  describe('what leaks in', () => {
    test('nothing of the host’s environment, in any process of the box', async () => {
      const look = 'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\0" "\\n"; env; cat /proc/1/environ | wc -c';
      const result = await shell(look, {}, { hostEnvironment: { FAKE_TOKEN: 'abc-the-token' } });
      expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
      expect(result.stdout).not.toMatch(/FAKE_TOKEN|abc-the-token/);
      expect(result.stdout).toMatch(/\n0\n$/);
    });

    test('no path of the profile stands in a process list of the host', async () => {
      const hidden = place('other-task-state');
      const mark = `argv-${process.pid}-${user.uid}`;
      const running = shell(`: ${mark}; touch started; until test -e go; do sleep 0.05; done`, { hidden: [hidden] });
      await appears(join(folder, 'started'));
      const launchers = processesWith(mark).filter((text) => /^\S*bwrap /.test(text));
      writeFileSync(join(folder, 'go'), '');
      expect((await running).outcome).toEqual({ kind: 'exited', exitCode: 0 });
      expect(launchers).not.toEqual([]);
      for (const text of launchers) expect(text).not.toMatch(/other-task-state|--bind|--tmpfs|remit-box/);
    });

    test('no process of the host is seen or can be signalled', async () => {
      const result = await shell(`ls -d /proc/[0-9]* | wc -l; kill -0 ${process.pid} 2>/dev/null && echo SIGNALLED`);
      expect(Number(result.stdout.trim())).toBeLessThan(8);
    });

    test('no open file but the standard three', async () => {
      const result = await shell('ls -l /proc/$$/fd');
      const links = result.stdout.split('\n').filter((line) => line.includes('->'));
      expect(links.length).toBeGreaterThanOrEqual(3);
      for (const link of links) expect(link).toMatch(/ [12] -> socket:| \d+ -> \/dev\/null$/);
    });

    test('no terminal, and stdin is at its end', async () => {
      const result = await shell('read x; echo "read $?"; (: < /dev/tty) 2>/dev/null || echo no terminal');
      expect(result.stdout).toBe('read 1\nno terminal\n');
    });

    test('no privilege can be gained', async () => {
      const result = await shell(
        'grep -E "^(NoNewPrivs|CapEff|CapBnd|Seccomp):" /proc/self/status | tr -d "\\t"; id -u',
      );
      expect(result.stdout).toMatch(/CapEff:0+\nCapBnd:0+\nNoNewPrivs:1\nSeccomp:2\n/);
      expect(result.stdout.trim().split('\n').at(-1)).not.toBe('0');
    });
  });

  describe('what stays behind', () => {
    test.each([
      [
        'a session of its own',
        (mark: string) => `setsid -f sh -c 'while :; do echo x >> late; sleep 0.05; done' ${mark} >/dev/null 2>&1`,
      ],
      [
        'a double fork',
        (mark: string) => `( ( sh -c 'while :; do echo x >> late; sleep 0.05; done' ${mark} >/dev/null 2>&1 & ) & )`,
      ],
      [
        'stdout held open',
        (mark: string) => `setsid -f sh -c 'trap "" TERM HUP; while :; do echo x >> late; sleep 0.05; done' ${mark}`,
      ],
    ])('no daemon survives with %s, and nothing is written after the result', async (kind, daemon) => {
      const mark = `daemon-${process.pid}-${user.uid}-${kind.replaceAll(' ', '-')}`;
      const result = await shell(`${daemon(mark)}; until test -s late; do sleep 0.05; done; echo done`);
      const written = statSync(join(folder, 'late')).size;
      expect(result).toMatchObject({ outcome: { kind: 'exited', exitCode: 0 }, stdout: 'done\n' });
      expect(await noneLeft(mark)).toBe(true);
      expect(statSync(join(folder, 'late')).size).toBe(written);
    });
  });

  describe('the outcome', () => {
    test.each([
      ['exit 0', { kind: 'exited', exitCode: 0 }],
      ['exit 7', { kind: 'exited', exitCode: 7 }],
      ['exit 255', { kind: 'exited', exitCode: 255 }],
      ['kill -KILL $$', { kind: 'signalled', signal: 'SIGKILL' }],
      ['kill -SEGV $$', { kind: 'signalled', signal: 'SIGSEGV' }],
      ['echo "bwrap: execvp x: No such file or directory" >&2; exit 1', { kind: 'exited', exitCode: 1 }],
      ['echo "bwrap: setting up uid map: Permission denied" >&2; exit 1', { kind: 'exited', exitCode: 1 }],
    ])('of %j is told apart', async (text, outcome) => {
      expect((await shell(text)).outcome).toEqual(outcome);
    });

    test('of a program that outlives its deadline and ignores SIGTERM is timed_out, and the box is gone', async () => {
      const mark = `deaf-${process.pid}-${user.uid}`;
      const argv = ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done', mark];
      expect((await runAs(user, profile(), argv, { timeoutMs: 500 })).outcome).toEqual({ kind: 'timed_out' });
      expect(await noneLeft(mark)).toBe(true);
    });

    test('of a program or folder that does not exist is neither a failing program nor a failing sandbox', async () => {
      expect((await runAs(user, profile(), ['no-such-program'])).outcome.kind).toBe('program_not_found');
      place('plain.txt', 'no program');
      expect((await runAs(user, profile(), ['./plain.txt'])).outcome.kind).toBe('program_not_found');
      expect((await shell('true', { cwd: join(folder, 'absent') })).outcome.kind).toBe('cwd_not_found');
    });

    test('of a flood is bounded', async () => {
      const flood = 'const b = Buffer.alloc(1e6, "z"); for (let i = 0; i < 30; i++) require("fs").writeSync(1, b)';
      const result = await runAs(user, profile(), [node, '-e', flood], { maxOutputBytes: 10_000 });
      expect(result.outcome).toEqual({ kind: 'exited', exitCode: 0 });
      expect(result.stdout.length).toBeLessThanOrEqual(10_000);
      expect(result.stdout).toContain('bytes left out');
    });
  });

  test('what lies elsewhere can be read, and only what lies in temporary folders must be listed', async () => {
    const result = await shell(`head -c 20 /bin/sh | wc -c; ls ${dirname(folder)}`);
    expect(result.stdout.split('\n')[0]).toBe('20');
    expect(result.stdout.trim().split('\n').slice(1).sort()).toEqual(
      expect.arrayContaining([folder.split('/').at(-1)]),
    );
    expect(lstatSync(folder).isDirectory()).toBe(true);
  });
});
