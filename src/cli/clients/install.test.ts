import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { entryText, readEntry } from './edit.ts';
import { type InstallRequest, installServer } from './install.ts';
import { CLIENT_NAMES } from './names.ts';
import { CLIENTS } from './table.ts';

const PROGRAM = '/opt/remit/bin/remit';

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'remit-clients-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe.each(CLIENT_NAMES)('the registration with %s', (client) => {
  function install(home: string, request: Partial<InstallRequest> = {}) {
    const roots = CLIENTS[client].tellsDirectory ? [] : [home];
    const options = { client, name: 'remit', roots, trust: false, replace: false, apply: false, ...request };
    return installServer(options, PROGRAM, { environment: {}, home, platform: process.platform });
  }

  test('is shown first and nothing written; applied it is the whole new file, private, and once is enough', () => {
    const home = makeHome();
    const dry = install(home);
    expect(dry).toMatchObject({ client, name: 'remit', change: 'add', applied: false, previous: null });
    expect(readdirSync(home)).toEqual([]);
    const applied = install(home, { apply: true });
    expect(applied).toMatchObject({ change: 'add', applied: true, entry: dry.entry, text: dry.text, file: dry.file });
    expect(applied.file.startsWith(`${home}/`)).toBe(true);
    expect(readFileSync(applied.file, 'utf8')).toBe(`${applied.text}\n`);
    expect(statSync(applied.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(applied.file))).toHaveLength(1);
    expect(install(home, { apply: true })).toMatchObject({ change: 'none', applied: false, diff: '' });
  });

  test('refuses another entry of its name, and takes its place when told to', () => {
    const home = makeHome();
    const { file, text } = install(home);
    const other = text.replace(PROGRAM, '/somewhere/else');
    write(file, other);
    expect(() => install(home, { apply: true })).toThrow(
      /another entry "remit"[\s\S]*\/somewhere\/else[\s\S]*\/opt\/remit/,
    );
    expect(readFileSync(file, 'utf8')).toBe(other);
    const replaced = install(home, { apply: true, replace: true });
    expect(replaced).toMatchObject({ change: 'replace', applied: true });
    expect(JSON.stringify(replaced.previous)).toContain('/somewhere/else');
    expect(readFileSync(file, 'utf8').trimEnd()).toBe(text);
  });

  test('keeps the variables of an entry that is replaced, and shows their values nowhere', () => {
    const home = makeHome();
    const { file, entry } = install(home);
    const { servers, syntax, variables } = CLIENTS[client];
    const values = { REASONIX_BIN: '/opt/reasonix', 'PASS "WORD': 'a "quoted\\" one,\u007f' };
    write(file, entryText(syntax, [servers, 'remit'], { ...entry, command: '/else', [variables]: values }));
    const replaced = install(home, { apply: true, replace: true });
    expect(readEntry(readFileSync(file, 'utf8'), syntax, [servers, 'remit']).previous).toEqual({
      ...entry,
      [variables]: values,
    });
    expect(replaced.entry).toMatchObject({ [variables]: { REASONIX_BIN: '[redacted]' } });
    expect(replaced.text).toContain('[redacted]');
    expect(JSON.stringify(replaced)).not.toMatch(/opt.reasonix|quoted/);
    expect(install(home)).toMatchObject({ change: 'none', diff: '' });
  });

  test('names file, line and column of a file that it cannot read, and writes nothing', () => {
    const home = makeHome();
    const { file } = install(home);
    write(file, '{\n  "a": \u001b[2J\n');
    const place = new RegExp(`^${file}: line \\d, column \\d+: [^\u001b]*; nothing was written$`);
    expect(() => install(home, { apply: true })).toThrow(place);
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": \u001b[2J\n');
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });
});

test.each([
  'env = { KEY = """one-\nkey-of-two-lines""" }',
  'env = { KEY = "\\u006fne-key-escaped" }',
  '[mcp_servers.remit.env]\nKEY = "\\U0000006fne-key-in-a-table"',
])('a variable that is written as %j is not shown either', (variables) => {
  const home = makeHome();
  const file = join(home, '.codex/config.toml');
  write(file, `[mcp_servers.remit]\ncommand = "/else"\n${variables}\n`);
  const request = { client: 'codex', name: 'remit', roots: [], trust: false, replace: true, apply: true } as const;
  const { diff } = installServer(request, PROGRAM, { environment: {}, home, platform: process.platform });
  expect(diff).toContain('/else');
  expect(diff).not.toMatch(/key-|ne-key/);
  expect(readFileSync(file, 'utf8')).toMatch(/one-(?:\\n)?key/);
});

test('of a file in one line only the entry is shown, not the keys of other servers', () => {
  const home = makeHome();
  const other = { command: 'x', env: { KEY: `other-${'k'.repeat(300)}-key` } };
  write(
    join(home, '.claude.json'),
    JSON.stringify({ mcpServers: { a: other, remit: { command: '/else' }, z: other } }),
  );
  const request = { client: 'claude', name: 'remit', roots: [], trust: false, replace: true, apply: false } as const;
  const { diff } = installServer(request, PROGRAM, { environment: {}, home, platform: process.platform });
  expect(diff).toContain('/else');
  expect(diff).not.toMatch(/other-|-key/);
});

test('a date and a large number in the entry that is replaced can be shown', () => {
  const home = makeHome();
  write(join(home, '.codex/config.toml'), '[mcp_servers.remit]\na = 99999999999999999999\nb = 1979-05-27\n');
  const request = { client: 'codex', name: 'remit', roots: [], trust: false, replace: true, apply: false } as const;
  const { previous } = installServer(request, PROGRAM, { environment: {}, home, platform: process.platform });
  expect(previous).toEqual({ a: '99999999999999999999', b: '1979-05-27' });
});

test('a file that lies in a Git repository is named as such', () => {
  const home = makeHome();
  mkdirSync(join(home, '.codex/.git'), { recursive: true });
  const request = { client: 'codex', name: 'remit', roots: [], trust: false, replace: false, apply: false } as const;
  const { notes } = installServer(request, PROGRAM, { environment: {}, home, platform: process.platform });
  expect(notes).toContain(`The file lies in the Git repository ${join(home, '.codex')}.`);
});
