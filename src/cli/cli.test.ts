import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

const valid = {
  schema_version: 1,
  objective: 'Say "hi" // not a comment.',
  user_outcome: 'It says /* hi */.',
  write_scope: ['src/**'],
  acceptance_criteria: [{ id: 'R1', requirement: 'It does.', evidence: 'review' }],
  verification: [],
};

function remit(words: string[], options: { input?: string; cwd?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, ...words],
    {
      encoding: 'utf8',
      timeout: 30_000,
      env: { PATH: process.env['PATH'] ?? '', ...options.env },
      input: options.input ?? '',
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    },
  );
  return { status, out: stdout, err: stderr };
}

function folder(files: Record<string, string> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'remit-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

describe('remit', () => {
  test('prints its version, also as JSON', () => {
    expect(remit(['version'])).toEqual({ status: 0, out: `${manifest.version}\n`, err: '' });
    expect(JSON.parse(remit(['version', '--json']).out)).toMatchObject({ version: manifest.version });
    for (const option of ['--version', '-V']) expect(remit([option])).toMatchObject({ out: `${manifest.version}\n` });
  });

  test.each([
    [[]],
    [['serve']],
    [['version']],
    [['run']],
    [['task', 'attach']],
    [['contract']],
    [['contract', 'lint']],
    [['contract', 'schema']],
    [['contract', 'new']],
    [['mcp']],
    [['mcp', 'install']],
  ])('%j --help shows an example', (words) => {
    const { status, out, err } = remit([...words, '--help']);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/Examples?:\n {2}remit /);
  });

  test.each([
    [['nonsense']],
    [['version', '--nonsense']],
    [['serve', '--log-level', 'loud']],
    [['serve', '--root', '.']],
    [['serve', '--state-dir', '~/x']],
    [['contract', 'lint']],
    [['contract', 'lint', 'a', '--stdin']],
  ])('%j is bad input, explained on standard error alone', (words) => {
    const { status, out, err } = remit(words);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: /);
  });
});

test.each([
  [['nonsense'], '(remit --help shows every command)'],
  [['contract', 'nonsense'], '(remit contract --help shows how it is used)'],
  [['contract', 'lint', '--nonsense'], '(remit contract lint --help shows how it is used)'],
])('after the mistake %j the help of its command is named', (words, hint) => {
  expect(remit(words).err).toContain(`\n${hint}\n`);
});

describe('remit contract lint', () => {
  test.each([[['-']], [['--stdin']]])('reads standard input with %j', (words) => {
    const { status, out } = remit(['contract', 'lint', ...words], { input: JSON.stringify(valid) });
    expect(status).toBe(0);
    expect(out).toMatch(/^valid standard input\n {2}sha256 [0-9a-f]{64}\n$/);
  });

  test('prints JSON in which nothing is hidden and nothing reaches a terminal as a code', () => {
    const objective = 'Say \u202e and \u009b2J.';
    const input = JSON.stringify({ ...valid, objective });
    const { out } = remit(['contract', 'lint', '--json', '-'], { input });
    expect(out).toContain('Say \\u202e and \\u009b2J.');
    expect(JSON.parse(out).contract.objective).toBe(objective);
    const { err } = remit(['task', 'show', '--json', 'a\u202eb']);
    expect(JSON.parse(err).error).toMatchObject({ code: expect.any(String) });
    expect(err).not.toContain('\u202e');
  });

  test('reads a file with comments, a byte order mark and strings that look like comments', () => {
    const text = `\ufeff// A task\n${JSON.stringify(valid, null, 1).replace('{', '{ /* one\n two */')} // end`;
    const cwd = folder({ 'task.jsonc': text });
    for (const words of [['task.jsonc'], ['--file', 'task.jsonc']]) {
      const { status, out } = remit(['contract', 'lint', '--json', ...words], { cwd });
      expect(status).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        ok: true,
        contract: valid,
        contract_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
  });

  test('names every problem with its place and a hint, without colour in a pipe', () => {
    const input = JSON.stringify({
      ...valid,
      write_scope: ['/abs', '../up'],
      verification: [{ id: 'V1', argv: ['git', 'push'], proves: ['R1'] }],
    });
    const { status, out } = remit(['contract', 'lint', '-'], { input });
    expect(status).toBe(2);
    expect(out).toContain('invalid standard input: 3 problems\n');
    expect(out).toContain('  write_scope[0]: is absolute\n    Write it relative');
    expect(out).toContain('  write_scope[1]: goes up');
    expect(out).toContain('  verification[0].argv: is denied by policy');
    expect(out).not.toContain('\u001b');
    expect(remit(['contract', 'lint', '-'], { input, env: { FORCE_COLOR: '1' } }).out).not.toContain('\u001b');
    expect(JSON.parse(remit(['contract', 'lint', '-', '--json'], { input }).out).problems).toHaveLength(3);
  });

  test.each([
    ['{"a": }', 'is not JSON'],
    ['', 'is not JSON'],
    ['{} trailing', 'is not JSON'],
    [`"${'x'.repeat(2_000_000)}"`, 'is larger than'],
    ['[]', 'must be an object, not a list'],
    ['{"a": [1,\n  2,]}', 'line 2, column 4: a comma before "]"'],
  ])('answers broken text with a problem, not a crash', (input, message) => {
    const { status, out, err } = remit(['contract', 'lint', '-'], { input });
    expect([status, err]).toEqual([2, '']);
    expect(out).toContain(message);
  });

  test('says what it cannot read', () => {
    const cwd = folder({ 'bad.json': '', 'large.json': ' '.repeat(5_000_000) });
    writeFileSync(join(cwd, 'bad.json'), Buffer.from([0x22, 0xff, 0x22]));
    for (const [file, reason] of [
      ['missing.json', 'cannot read missing.json: no such file or directory\n'],
      ['.', 'cannot read .'],
      ['bad.json', 'is not UTF-8'],
      ['large.json', 'is larger than'],
    ] as const) {
      const { status, out, err } = remit(['contract', 'lint', file], { cwd });
      expect([status, out]).toEqual([2, '']);
      expect(err).toContain(reason);
    }
  });
});

describe('remit contract schema', () => {
  test('prints the JSON Schema', () => {
    expect(JSON.parse(remit(['contract', 'schema']).out)).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
  });
});

describe('remit contract new', () => {
  const script = (test: string) => JSON.stringify({ scripts: { test, lint: 'x' } });

  test.each([
    [{}, undefined],
    [{ 'package.json': script('vitest') }, ['npm', 'test']],
    [{ 'package.json': script('vitest'), 'pnpm-lock.yaml': '' }, ['pnpm', 'test']],
    [{ 'package.json': script('echo "Error: no test specified" && exit 1') }, ['npm', 'run', 'lint']],
    [{ 'package.json': '{ broken' }, undefined],
    [{ Makefile: 'all:\n\ncheck: all\n' }, ['make', 'check']],
    [{ 'go.mod': '' }, ['go', 'test', './...']],
    [{ 'Cargo.toml': '' }, ['cargo', 'test']],
    [{ 'pyproject.toml': '', 'src/x.py': '' }, ['pytest', '-q']],
  ])('for %j prints contracts that pass lint, once they are filled in, and verify with %j', (files, argv) => {
    const cwd = folder(files);
    const commented = remit(['contract', 'new'], { cwd }).out;
    const plain = remit(['contract', 'new', '--json'], { cwd }).out;
    const results = [commented, plain].map((text) =>
      remit(['contract', 'lint', '-', '--json'], { input: text.replaceAll('Replace this: what', 'What') }),
    );
    expect(results.map(({ status }) => status)).toEqual([0, 0]);
    expect(results[0]?.out).toBe(results[1]?.out);
    expect(JSON.parse(plain).verification[0]?.argv).toEqual(argv);
    expect(commented).toContain('// What the worker must do');
  });

  test('proposes to write the folders of code that exist', () => {
    const cwd = folder({ 'src/x.ts': '', 'test/x.ts': '', 'node_modules/x/y.js': '' });
    expect(JSON.parse(remit(['contract', 'new', '--json'], { cwd }).out).write_scope.sort()).toEqual([
      'src/**',
      'test/**',
    ]);
  });
});
