import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScope, type ScopePatterns, scopesOverlap } from './index.ts';

function scope(write: string[], forbidden: string[] = []): ScopePatterns {
  return { write_scope: write, forbidden_scope: forbidden };
}

function kindOf(path: string, write: string[], forbidden: string[] = []): string {
  return compileScope(scope(write, forbidden)).classify(path).kind;
}

describe('a pattern', () => {
  test.each([
    ['src/x.ts', 'src/x.ts'],
    ['src', 'src/deep/x.ts'],
    ['src/**', 'src/deep/x.ts'],
    ['src/**', 'src'],
    ['src/**', 'src/.hidden/.x'],
    ['src/**', 'src/new\nline'],
    ['src/**', 'src/x.ts '],
    ['src/**', 'src/caf\udce9.txt'],
    ['src/?', 'src/\udce9'],
    ['src/?', 'src/😀'],
    ['**', 'a'],
    ['**/b', 'b'],
    ['a/**/b', 'a/b'],
    ['a/**/b', 'a/x/b/y/b'],
    ['*', '.env'],
    ['a*b*c', 'aXbXbc'],
    ['a**b', 'axb'],
    ['{a,b}/**', 'b/c'],
    ['{a,b/c}/*.ts', 'b/c/x.ts'],
    ['a{,.test}.ts', 'a.ts'],
    ['{a,{b,c}d}', 'cd'],
    ['{a}', '{a}'],
    ['{a,b}', '{a,b}'],
    ['{a,b}', '{a,b}/under'],
    ['a{b', 'a{b'],
    ['app/(admin)/**', 'app/(admin)/page.tsx'],
    ['pages/[id].tsx', 'pages/[id].tsx'],
    ['@(a|b)', '@(a|b)'],
    ['{1..3}', '{1..3}'],
    ['docs/caf\u00e9.md', 'docs/cafe\u0301.md'],
  ])('%j matches %j', (pattern, path) => {
    expect(kindOf(path, [pattern])).toBe('in_scope');
  });

  test.each([
    ['src', 'srcs/x.ts'],
    ['src/*', 'src/a/b'],
    ['*.ts', 'src/x.ts'],
    ['src/?', 'src/ab'],
    ['a**b', 'a/b'],
    ['a/***', 'a/b/c'],
    ['{a,b}', 'a/under'],
    ['{a}', 'a'],
    ['{1..3}', '2'],
    ['pages/[id].tsx', 'pages/i.tsx'],
    ['app/(admin)', 'app/admin'],
    ['+(a)', 'aa'],
    ['src/**', 'src\\evil.ts'],
    ['src/**', 'SRC/x.ts'],
    ['src/x.ts', 'src/x.ts '],
    ['**', '../x'],
    ['**', '/etc/passwd'],
    ['**', 'a//b'],
    ['**', 'a/./b'],
    ['**', ''],
  ])('%j does not match %j', (pattern, path) => {
    expect(kindOf(path, [pattern])).toBe('outside');
  });

  test('with many stars costs little on a name made to be slow', () => {
    expect(kindOf(`${'a'.repeat(4000)}b`, [`${'*a'.repeat(500)}*c`])).toBe('outside');
  });
});

describe('a forbidden pattern', () => {
  test.each([
    ['src/auth/**', 'src/Auth/x.ts'],
    ['src/auth/**', 'src/auth'],
    ['docs/caf\u00e9/**', 'docs/CAFE\u0301/x'],
    ['stra\u00dfe', 'STRASSE'],
    ['\u03b1\u03c3', '\u0391\u03a3'],
    ['\u03b1\u03c2', '\u03b1\u03c3'],
    ['kelvin', '\u212aelvin'],
    ['src/auth/**', 'src/au\u200bth/x.ts'],
    ['caf??.md', 'cafe\u0301.md'],
    ['a?c', 'A\u00dfC'],
    ['**/*.Key', 'x/y.KEY'],
    ['!note.md', '!NOTE.md'],
  ])('%j also refuses %j', (pattern, path) => {
    expect(compileScope(scope(['**'], [pattern])).classify(path)).toEqual({ kind: 'forbidden', pattern });
  });

  test('does not take a look-alike of another script for its name', () => {
    expect(kindOf('src/\u0430uth/x.ts', ['src/**'], ['src/auth/**'])).toBe('in_scope');
  });

  test.each([
    '.git',
    '.git/config',
    'a/.GIT/hooks/x',
    'a/.g\u200cit/config',
    'git~1/x',
    '.git./x',
    '.git::$INDEX_ALLOCATION',
  ])('is not needed for %j, which no scope contains', (path) => {
    expect(kindOf(path, ['**', path])).toBe('forbidden');
  });

  test.each(['.gitignore', '.github/x', 'a.git/x', 'src/git'])('leaves %j alone', (path) => {
    expect(kindOf(path, ['**'])).toBe('in_scope');
  });
});

const name = fc.constantFrom('a', 'b', 'src', 'x.ts', 'b.ts', 'A', 'e\u0301', '\u00e9', '{a,b}', '*', '?', '[b]');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const piece = fc.oneof(
  name,
  fc.constantFrom('**', '*', '?', '*.ts', 'a*', '{a,b}', '{a,src/b}', 'x.{ts,js}', '?.ts', '{', '}'),
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('/'));
const patterns = fc.record({
  write_scope: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  forbidden_scope: fc.array(pattern, { maxLength: 2 }),
});

describe('every scope', () => {
  test('classifies any string without failing', () => {
    const anyString = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 });
    fc.assert(
      fc.property(patterns, fc.oneof(anyString, fc.string({ unit: 'binary' })), (each, text) => {
        expect(['in_scope', 'forbidden', 'outside']).toContain(compileScope(each).classify(text).kind);
      }),
    );
  });

  test('contains the path that equals its pattern, and what lies under it as a folder', () => {
    fc.assert(
      fc.property(pattern, (each) => {
        expect(kindOf(each, [each])).toBe('in_scope');
        if (!/[*?]/.test(each)) expect(kindOf(`${each}/under`, [each])).toBe('in_scope');
      }),
    );
  });

  test('never lets a path be written that a forbidden pattern matches', () => {
    fc.assert(
      fc.property(patterns, path, (each, target) => {
        const forbids = each.forbidden_scope.some((one) => kindOf(target, [one]) === 'in_scope');
        if (forbids) expect(compileScope(each).classify(target).kind).toBe('forbidden');
      }),
    );
  });
});

describe('two scopes', () => {
  test.each([
    ['src/a/**', 'src/b/**'],
    ['*.ts', 'src/x.ts'],
    ['src/a', 'src/ab'],
    ['src/*.ts', 'src/*.js'],
    ['{a,b}/x', '{c,d}/x'],
    ['a/**/x.ts', 'a/**/y.ts'],
    ['src/**/*.test.ts', 'src/**/*.css'],
    ['src/?', 'src/??'],
  ])('%j and %j do not overlap', (one, other) => {
    expect(scopesOverlap(scope([one]), scope([other]))).toBeUndefined();
  });

  test.each([
    ['src/**', 'src/a/x.ts'],
    ['{a,b}/**', 'b/c'],
    ['**/*.ts', 'src/**'],
    ['a*b', '*ab'],
    ['docs/caf\u00e9.md', 'docs/cafe\u0301.md'],
    ['src', 'src/*'],
    ['**', '*'],
  ])('%j and %j overlap', (one, other) => {
    expect(scopesOverlap(scope([one]), scope([other]))).toEqual({ pattern: one, otherPattern: other });
    expect(scopesOverlap(scope([other]), scope([one]))).toEqual({ pattern: other, otherPattern: one });
  });

  test('do not overlap where one of them forbids what the other writes', () => {
    expect(scopesOverlap(scope(['src/**'], ['src/b']), scope(['src/b/x.ts']))).toBeUndefined();
    expect(scopesOverlap(scope(['SRC/B/*.ts']), scope(['**'], ['src/b/**']))).toBeUndefined();
    expect(scopesOverlap(scope(['src/**'], ['src/b/*']), scope(['src/b/**']))).toBeDefined();
  });

  test('overlap the same way whichever is asked first, and always when both may write one path', () => {
    fc.assert(
      fc.property(patterns, patterns, fc.array(path, { minLength: 1, maxLength: 30 }), (a, b, tree) => {
        const overlap = scopesOverlap(a, b) !== undefined;
        expect(scopesOverlap(b, a) !== undefined).toBe(overlap);
        const [first, second] = [compileScope(a), compileScope(b)];
        const shared = tree.filter((each) => [first, second].every((s) => s.classify(each).kind === 'in_scope'));
        if (shared.length > 0) expect(overlap).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('of a thousand folders each are told apart', () => {
    const folders = (letter: string) => scope(Array.from({ length: 1000 }, (_, n) => `packages/${letter}${n}/**`));
    expect(scopesOverlap(folders('a'), folders('b'))).toBeUndefined();
  });

  test('of thousands of deep alternatives are told apart without comparing each with each', () => {
    const deep = (letter: string) =>
      scope(Array.from({ length: 16 }, (_, n) => `${'a/'.repeat(400)}${'{a,b}'.repeat(7)}${n}${letter}`));
    expect(scopesOverlap(deep('x'), deep('y'))).toBeUndefined();
    expect(scopesOverlap(deep('x'), deep('x'))).toBeDefined();
  });

  test('are told to overlap when a true answer would take too long', () => {
    const slow = (end: string) => Array.from({ length: 300 }, (_, index) => `${'*a/'.repeat(300)}${index}${end}`);
    expect(scopesOverlap(scope(slow('x')), scope(slow('y')))).toBeDefined();
  });
});
