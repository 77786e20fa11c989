import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localAuthority } from '../authority.ts';
import { callTool } from '../tools/registry.ts';
import { openLocalPlace } from './local-place.ts';

function folder(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'remit-commands-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const name of ['root', 'home', 'outside']) mkdirSync(join(base, name));
  return base;
}

/** A repository, and a session's `bash` in it. `script` is a program of the repository that does what the test is about. */
async function openWithCommands(script = '') {
  const base = folder();
  const root = join(base, 'root');
  spawnSync('git', ['init', '-q', root]);
  writeFileSync(join(root, 'script.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: join(base, 'linked'), REMIT_API_KEY: 'do-not-pass-on' };
  const place = await openLocalPlace(root, environment);
  return {
    base,
    root,
    place,
    bash: (input: unknown) => callTool('bash', input, { place, ledger: [], authority: localAuthority('/') }),
  };
}

describe('a command', () => {
  test('runs in the repository and is observed with what it printed', async () => {
    const { bash } = await openWithCommands('echo "$1"; echo oops >&2; exit 3');
    expect(await bash({ command: "./script.sh 'two words'" })).toEqual({
      text: '[exit code 3]\ntwo words\n[stderr]\noops',
      isError: true,
      observations: [
        {
          kind: 'command',
          argv: ['./script.sh', 'two words'],
          cwd: '',
          exit_code: 3,
          stdout: 'two words\n',
          stdout_bytes: 10,
          truncated: false,
        },
      ],
    });
  });

  test.each([
    [{ command: 'ls | wc' }, 'is not one simple command'],
    [{ command: 'echo $HOME' }, 'is not one simple command'],
    [{ command: 'ls', argv: ['ls'] }, 'give exactly one'],
    [{}, 'give exactly one'],
    [{ argv: ['sh', '-c', 'ls'] }, 'is refused'],
    [{ command: 'git push' }, 'is refused'],
    [{ command: 'cat ../outside/x' }, 'is refused'],
    [{ command: 'ls', cwd: '/etc' }, 'cwd: '],
    [{ command: 'ls', cwd: 'nothing' }, 'does not exist'],
    [{ command: 'ls', cwd: 'out' }, 'is a link'],
  ])('such as %j is refused and nothing is observed', async (input, message) => {
    const { bash, root } = await openWithCommands();
    symlinkSync('/etc', join(root, 'out'));
    const result = await bash(input);
    expect(result).toMatchObject({ isError: true, observations: [], text: expect.stringContaining(message) });
  });

  test('reaches neither what is outside the repository nor what Git runs', async () => {
    const { bash, base, root } = await openWithCommands(
      'touch ../outside/a; touch .git/hooks/pre-commit; echo x >> .git/config; touch made; cat ../home/key; env',
    );
    writeFileSync(join(base, 'home/key'), 'top-secret');
    const before = readFileSync(join(root, '.git/config'), 'utf8');
    const { text } = await bash({ command: './script.sh' });
    expect(text).not.toMatch(/top-secret|do-not-pass-on/);
    expect(existsSync(join(base, 'outside/a'))).toBe(false);
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
    expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe(before);
    expect(existsSync(join(root, 'made'))).toBe(true);
  });

  test('is observed with the files that it changed, whatever times it gave them, and not those that Git ignores', async () => {
    const { bash, root } = await openWithCommands(
      'echo "logout()" > kept; touch -r script.sh kept; rm gone; echo new > made; mkdir out; echo x > out/built',
    );
    for (const [name, text] of [
      ['kept', 'ignore()\n'],
      ['gone', 'x\n'],
      ['.gitignore', 'out/\n'],
    ] as const) {
      writeFileSync(join(root, name), text);
    }
    const { observations, text } = await bash({ command: './script.sh' });
    expect(text).toContain('[changed kept, made, gone]');
    expect(observations).toMatchObject([
      { kind: 'write', path: 'kept', change: 'modified', changed: [], total_lines: 1, security: ['authentication'] },
      { kind: 'write', path: 'made', change: 'created', changed: [{ from: 1, to: 1 }] },
      { kind: 'write', path: 'gone', change: 'deleted' },
      { kind: 'command', exit_code: 0 },
    ]);
  });

  test('is observed with the files that it changed also where there is no Git', async () => {
    const { root } = await openWithCommands('echo new > made; ln -s made link');
    rmSync(join(root, '.git'), { recursive: true });
    const place = await openLocalPlace(root, { PATH: process.env['PATH'] ?? '' });
    const result = await callTool(
      'bash',
      { command: './script.sh' },
      { place, ledger: [], authority: localAuthority('/') },
    );
    expect(result.observations).toMatchObject([
      { kind: 'write', path: 'link', change: 'created', total_lines: 0 },
      { kind: 'write', path: 'made', change: 'created', total_lines: 1 },
      { kind: 'command' },
    ]);
  });

  test('that makes a repository where there is none finds it taken away: whoever runs Git there later would run what it names', async () => {
    const { root } = await openWithCommands(
      'mkdir .git; echo "[core] fsmonitor = /tmp/x" > .git/config; echo new > made',
    );
    rmSync(join(root, '.git'), { recursive: true });
    const place = await openLocalPlace(root, { PATH: process.env['PATH'] ?? '' });
    const { text } = await callTool(
      'bash',
      { command: './script.sh' },
      { place, ledger: [], authority: localAuthority('/') },
    );
    expect(text).toContain('.git, which was taken away');
    expect(readdirSync(root).toSorted()).toEqual(['made', 'script.sh']);
  });

  test('does not see the worker, so that it cannot write into its streams', async () => {
    const { bash } = await openWithCommands(
      `ls -d /proc/[0-9]* | wc -l; ls /proc/${process.pid} 2>&1; cat /proc/*/cmdline | tr '\\0' ' '`,
    );
    const { text } = await bash({ command: './script.sh' });
    expect(text).not.toContain('vitest');
    expect(Number(text.split('\n')[1])).toBeLessThan(10);
  });

  test('sees of the user’s home no more than the programs in it, whatever HOME says, and no list of passwords', async () => {
    const { homedir } = userInfo();
    const { bash } = await openWithCommands(`ls -A ${homedir}; cat /etc/shadow 2>/dev/null; echo end`);
    const { text } = await bash({ command: './script.sh' });
    const [end, ...seen] = text
      .replace(/\[.*\]/g, '')
      .trim()
      .split('\n')
      .reverse();
    expect(end).toBe('end');
    for (const name of seen) expect(process.env['PATH']).toContain(join(homedir, name));
  });

  test('does not see a home that is reached through a link', async () => {
    // Not below /tmp, of which a command sees nothing in any case.
    const base = realpathSync(mkdtempSync(join('node_modules', '.remit-home-')));
    onTestFinished(() => rmSync(base, { recursive: true }));
    for (const path of ['real/home', 'root']) mkdirSync(join(base, path), { recursive: true });
    writeFileSync(join(base, 'real/home/secret'), 'TOP SECRET\n');
    symlinkSync(join(base, 'real/home'), join(base, 'linked'));
    const place = await openLocalPlace(join(base, 'root'), {
      PATH: process.env['PATH'] ?? '',
      HOME: join(base, 'linked'),
    });
    const command = `cat ${join(base, 'linked/secret')} ${join(base, 'real/home/secret')}`;
    if (place.commands.kind === 'withheld') throw new Error(place.commands.reason);
    const limits = { timeoutMs: 10_000, maxOutputBytes: 1000 };
    const script = join(base, 'root/look.sh');
    writeFileSync(script, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const end = await place.commands.run(['./look.sh'], '', limits);
    expect(JSON.stringify(end)).not.toContain('TOP SECRET');
    expect(end).toMatchObject({ kind: 'ended', exitCode: 1 });
  });

  test('has no network', async () => {
    const { bash } = await openWithCommands('cat /proc/net/dev | grep -vc "lo:\\|Inter\\|face"');
    expect((await bash({ command: './script.sh' })).text).toMatch(/^\[exit code 1\]\n0$/);
  });

  test('is stopped at its time, with everything that it started', async () => {
    const { bash } = await openWithCommands('sleep 600 & sleep 600');
    expect((await bash({ command: './script.sh', timeout_seconds: 1 })).text).toMatch(/^\[stopped after 1 s/);
  });

  test('that prints without end is shown from both ends', async () => {
    const { bash } = await openWithCommands('echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last');
    const { text, observations } = await bash({ command: './script.sh' });
    expect(text).toMatch(/^\[exit code 0\]\nfirst\n[\s\S]*bytes left out[\s\S]*\nlast\n\[output was cut/);
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
    expect(observations).toMatchObject([{ truncated: true, stdout_bytes: 5_000_012 }]);
  });

  test('of a linked worktree still finds its repository', async () => {
    const base = folder();
    const git = (...words: string[]) =>
      spawnSync('git', ['-C', join(base, 'outside'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', join(base, 'root/tree'));
    const place = await openLocalPlace(join(base, 'root/tree'), { PATH: process.env['PATH'] ?? '', HOME: base });
    const result = await callTool(
      'bash',
      { command: 'git status --short --branch' },
      { place, ledger: [], authority: localAuthority('/') },
    );
    expect(result.text).toContain('## tree');
  });
});

describe('without bubblewrap', () => {
  test('bash is not offered and says why', async () => {
    const home = folder();
    for (const name of ['HOME', 'XDG_STATE_HOME']) {
      mkdirSync(join(home, 'state'), { recursive: true });
      const held = await openLocalPlace(home, { PATH: process.env['PATH'] ?? '', [name]: join(home, 'state') });
      expect(held.commands).toMatchObject({ kind: 'withheld', reason: expect.stringContaining('user’s home') });
    }
    const place = await openLocalPlace(folder(), { PATH: '/nowhere' });
    expect(place.commands).toMatchObject({ kind: 'withheld', reason: expect.stringContaining('bubblewrap') });
    expect(
      await callTool('bash', { command: 'ls' }, { place, ledger: [], authority: localAuthority('/') }),
    ).toMatchObject({
      isError: true,
      text: expect.stringContaining('not offered here: bubblewrap'),
    });
  });
});
