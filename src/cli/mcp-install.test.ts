import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT_NAMES } from './clients/names.ts';
import { CLIENTS } from './clients/table.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../bin/remit', import.meta.url));

function makeHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'remit-install-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function install(home: string, words: string[], env: Record<string, string> = {}, cwd = home) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'mcp', 'install', ...words],
    { encoding: 'utf8', timeout: 30_000, cwd, env: { PATH: '/usr/bin:/bin', HOME: home, ...env } },
  );
  return { status, out: stdout, err: stderr };
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const wordsFor = (client: string) => (client === 'zed' ? [client, '--root', '.'] : [client]);

describe('remit mcp install', () => {
  test('shows what it would write; with --apply it writes it, and says so', () => {
    const home = makeHome();
    const dry = install(home, ['codex']);
    expect([dry.status, dry.err]).toEqual([0, '']);
    expect(dry.out).toContain('\n+[mcp_servers.remit]\n');
    expect(dry.out).toContain('run it again with --apply');
    expect(readdirSync(home)).toEqual([]);
    expect(install(home, ['codex', '--apply']).out).toContain('Codex now has "remit" in ');
    expect(install(home, ['codex', '--apply']).out).toContain('Codex already has "remit" just so in ');
  });

  test('refuses another entry of the name with both, safe to show, for people and for programs', () => {
    const home = makeHome();
    const file = write(join(home, '.codex/config.toml'), '[mcp_servers.remit]\ncommand = "/other\\u001b[2J"\n');
    const refused = install(home, ['codex', '--apply']);
    expect([refused.status, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('already has another entry "remit"');
    expect(refused.err).toContain('/other');
    expect(refused.err).toContain(PROGRAM);
    expect(refused.err).not.toContain('\u001b');
    const { error } = JSON.parse(install(home, ['codex', '--json']).err);
    expect(error).toMatchObject({ code: 'invalid_request', details: { client: 'codex', file } });
  });
});

test('--help names every field of the answer, and no other', () => {
  const answer = JSON.parse(install(makeHome(), ['codex', '--json']).out);
  const fields = install(makeHome(), ['--help']).out.split('one object:\n')[1]?.split('\n\n')[0] ?? '';
  expect([...fields.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual(Object.keys(answer));
});

describe('the file', () => {
  test.each([
    ['codex', { CODEX_HOME: 'HOME/elsewhere' }, 'elsewhere/config.toml'],
    ['codex', {}, '.codex/config.toml'],
    ['claude', { CLAUDE_CONFIG_DIR: 'HOME/elsewhere' }, 'elsewhere/.claude.json'],
    ['claude', {}, '.claude.json'],
    ['gemini', { GEMINI_CLI_HOME: 'HOME/elsewhere' }, 'elsewhere/.gemini/settings.json'],
    ['opencode', { XDG_CONFIG_HOME: 'HOME/elsewhere' }, 'elsewhere/opencode/opencode.jsonc'],
    ['opencode', { XDG_CONFIG_HOME: 'elsewhere' }, '.config/opencode/opencode.jsonc'],
    ['zed', { XDG_CONFIG_HOME: 'HOME/elsewhere' }, 'elsewhere/zed/settings.json'],
    ['vscode', { XDG_CONFIG_HOME: 'HOME/elsewhere' }, 'elsewhere/Code/User/mcp.json'],
    ['vscode', { VSCODE_PORTABLE: 'HOME/data' }, 'data/user-data/User/mcp.json'],
    ['cursor', { XDG_CONFIG_HOME: 'HOME/elsewhere' }, '.cursor/mcp.json'],
  ] as const)('of %s with %j is %s', (client, variables, file) => {
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace('HOME', '/home/me')]),
    );
    const [first] = CLIENTS[client].files({ environment, home: '/home/me', platform: 'linux' });
    expect(first).toBe(`/home/me/${file}`);
  });

  test.each([
    ['vscode', 'Library/Application Support/Code/User/mcp.json'],
    ['zed', '.config/zed/settings.json'],
  ] as const)('of %s on macOS is %s', (client, file) => {
    const place = { environment: { XDG_CONFIG_HOME: '/elsewhere' }, home: '/Users/me', platform: 'darwin' } as const;
    expect(CLIENTS[client].files(place)[0]).toBe(`/Users/me/${file}`);
  });

  test('of opencode is opencode.json where only that exists', () => {
    const home = makeHome();
    const file = write(join(home, '.config/opencode/opencode.json'), '{}');
    expect(JSON.parse(install(home, ['opencode', '--json']).out).file).toBe(file);
  });

  test('keeps its mode, and a link to it stays a link', () => {
    const home = makeHome();
    const target = write(join(home, 'dotfiles/codex.toml'), '# mine\n');
    chmodSync(target, 0o640);
    mkdirSync(join(home, '.codex'));
    const link = join(home, '.codex/config.toml');
    symlinkSync('../dotfiles/codex.toml', link);
    const { out } = install(home, ['codex', '--apply']);
    expect(out).toContain(`link to ${target}`);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toMatch(/^# mine\n\n\[mcp_servers\.remit\]\n/);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect([...readdirSync(dirname(target)), ...readdirSync(dirname(link))]).toEqual(['codex.toml', 'config.toml']);
  });

  test.each([
    ['is a link to something that does not exist', (file: string) => symlinkSync('nowhere', file)],
    ['is a ring of links', (file: string) => symlinkSync(file, file)],
    ['is a folder', (file: string) => mkdirSync(file)],
    ['is no text', (file: string) => writeFileSync(file, Buffer.from([0xff, 0xfe]))],
  ])('that %s is refused by name', (_what, make) => {
    const home = makeHome();
    mkdirSync(join(home, '.codex'));
    const file = join(home, '.codex/config.toml');
    make(file);
    const { status, err } = install(home, ['codex', '--apply']);
    expect(status).toBe(2);
    expect(err).toContain(file);
    expect(readdirSync(join(home, '.codex'))).toEqual(['config.toml']);
  });

  test('of a repository is never written, wherever the command runs', () => {
    const home = makeHome();
    const repository = join(home, 'shop');
    for (const name of ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json', 'opencode.json'])
      write(join(repository, name), '{}');
    for (const client of CLIENT_NAMES) {
      const { status } = install(home, [...wordsFor(client), '--apply'], {}, repository);
      expect(status).toBe(0);
    }
    for (const name of ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json', 'opencode.json'])
      expect(readFileSync(join(repository, name), 'utf8')).toBe('{}');
  });
});

describe('the entry', () => {
  test('starts the link on PATH that leads to this program, by its absolute path', () => {
    const home = makeHome();
    mkdirSync(join(home, 'bin'));
    symlinkSync(PROGRAM, join(home, 'bin/remit'));
    const { entry } = JSON.parse(install(home, ['codex', '--json'], { PATH: `${home}/bin:/usr/bin` }).out);
    expect(entry.command).toBe(join(home, 'bin/remit'));
  });

  test('starts this program where another remit, or a relative folder, stands on PATH', () => {
    const home = makeHome();
    chmodSync(write(join(home, 'bin/remit'), '#!/bin/sh\n'), 0o755);
    for (const PATH of [`${home}/bin`, 'bin']) {
      const { entry } = JSON.parse(install(home, ['codex', '--json'], { PATH }).out);
      expect(entry.command).toBe(PROGRAM);
    }
  });

  test('names each root by its absolute path', () => {
    const home = makeHome();
    mkdirSync(join(home, 'a b'));
    const { entry } = JSON.parse(install(home, ['zed', '--json', '--root', 'a b', '--root', '.']).out);
    expect(entry.args).toEqual(['serve', '--root', join(home, 'a b'), '--root', home]);
  });

  test('lets Gemini call without asking only on --trust', () => {
    const home = makeHome();
    expect(JSON.parse(install(home, ['gemini', '--json']).out).entry).not.toHaveProperty('trust');
    const { entry, command } = JSON.parse(install(home, ['gemini', '--json', '--trust']).out);
    expect(entry.trust).toBe(true);
    expect(command).toContain('--trust');
  });

  test('of the older bridge is named, and can be given to Remit', () => {
    const home = makeHome();
    const file = join(home, '.codex/config.toml');
    write(
      file,
      '[mcp_servers.reasonix-worker]\ncommand = "codex-reasonix-mcp"\nenv = { API_KEY = "hunter2hunter2" }\n',
    );
    expect(install(home, ['codex']).out).toContain('An entry "reasonix-worker" of the older bridge');
    const { out } = install(home, ['codex', '--apply', '--name', 'reasonix-worker', '--replace']);
    expect(out).toContain('-command = "codex-reasonix-mcp"');
    expect(out).not.toContain('hunter2');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\[mcp_servers\.reasonix-worker\]\ncommand = "[^"]*\/remit"\n[\s\S]*\nenv = \{ "API_KEY" = "hunter2hunter2" \}\n$/,
    );
  });
});

test.each([
  [['nonsense']],
  [[]],
  [['zed']],
  [['claude', '--trust']],
  [['codex', '--name', '__proto__']],
  [['codex', '--name', 'a.b']],
  [['codex', '--name', 'a'.repeat(41)]],
  [['codex', '--root', 'missing']],
])('remit mcp install %j is bad input, and nothing is written', (words) => {
  const home = makeHome();
  const { status, out, err } = install(home, [...words, '--apply']);
  expect([status, out]).toEqual([2, '']);
  expect(err).not.toBe('');
  expect(readdirSync(home)).toEqual([]);
});
