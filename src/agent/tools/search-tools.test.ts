import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSession } from './test-session.ts';

const TREE = {
  'src/a.ts': 'export const a = 1;\n',
  'src/deep/b.ts': 'const b = a;\r\n',
  'src/[id].tsx': 'const id = 1;\n',
  'readme.md': 'a\n',
  '.git/config': 'a\n',
  'node_modules/pkg/a.ts': 'export const a = 1;\n',
  bin: Buffer.from([97, 0, 97]),
};

describe('glob', () => {
  test.each([
    ['**/*.ts', 'src/a.ts\nsrc/deep/b.ts'],
    ['src', 'src/[id].tsx\nsrc/a.ts\nsrc/deep/b.ts'],
    ['src/[id].tsx', 'src/[id].tsx'],
    ['*.{md,txt}', 'readme.md'],
    ['nothing/**', '[no file matches]'],
  ])('%s finds %j', async (pattern, found) => {
    expect(await openSession(TREE).call('glob', { pattern })).toEqual({ text: found, observations: [] });
  });

  test('looks into an installed package only when it is told to', async () => {
    const { call } = openSession(TREE);
    expect((await call('glob', { pattern: '**/*.ts', path: 'node_modules/pkg' })).text).toBe('node_modules/pkg/a.ts');
  });

  test('follows no link', async () => {
    const { call, root } = openSession(TREE);
    symlinkSync('/etc', join(root, 'out'));
    symlinkSync('.', join(root, 'round'));
    const { text } = await call('glob', { pattern: '**' });
    expect(text).not.toMatch(/out|round/);
    expect((await call('glob', { pattern: '**', path: 'out' })).text).toBe('[no file matches]');
  });

  test('shows a page and how to get the next', async () => {
    const many = Object.fromEntries(Array.from({ length: 520 }, (_, at) => [`f${String(at).padStart(3, '0')}`, '']));
    const { call } = openSession(many);
    expect((await call('glob', { pattern: '*' })).text).toMatch(
      /f499\n\[500 of 520 shown; the rest with offset 500\]$/,
    );
    expect((await call('glob', { pattern: '*', offset: 500 })).text.split('\n').length).toBe(20);
  });
});

describe('grep', () => {
  test.each([
    [{ pattern: 'const \\w = ' }, 'src/a.ts:1:export const a = 1;\nsrc/deep/b.ts:1:const b = a;'],
    [{ pattern: 'CONST B', ignore_case: true }, 'src/deep/b.ts:1:const b = a;'],
    [{ pattern: 'a = 1;', literal: true, glob: 'src/**' }, 'src/a.ts:1:export const a = 1;'],
    [{ pattern: 'a$', path: 'readme.md' }, 'readme.md:1:a'],
    [{ pattern: '(', literal: true }, '[no line matches]'],
  ])('with %j finds %j', async (input, found) => {
    expect(await openSession(TREE).call('grep', input)).toEqual({ text: found, observations: [] });
  });

  test('says what is wrong with an expression', async () => {
    expect(await openSession().call('grep', { pattern: '(' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('pattern: '),
    });
  });

  test('ends an expression that would take for ever, and says so', async () => {
    const { call } = openSession({ hostile: `${'a'.repeat(60)}!\n` });
    expect((await call('grep', { pattern: '^(a+)+$' })).text).toContain('the pattern takes too long');
  });

  test('shows a page of many lines, each short, and how to get the next', async () => {
    const { call } = openSession({ many: `${'x'.repeat(10_000)}\n`.repeat(400) });
    const { text } = await call('grep', { pattern: 'x' });
    expect(Buffer.byteLength(text)).toBeLessThan(33_000);
    expect(text).toMatch(/\[\d+ of 400 shown; the rest with offset \d+\]$/);
  });
});

describe('ls', () => {
  test('marks folders and links', async () => {
    const { call, root } = openSession({ 'src/a': '', b: '' });
    symlinkSync('/etc', join(root, 'out'));
    mkdirSync(join(root, 'empty'));
    expect((await call('ls', {})).text).toBe('b\nempty/\nout@\nsrc/');
    expect((await call('ls', { path: 'empty' })).text).toBe('[the folder is empty]');
    expect(await call('ls', { path: 'out' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('a link to /etc'),
    });
    expect(await call('ls', { path: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is no folder'),
    });
  });
});
