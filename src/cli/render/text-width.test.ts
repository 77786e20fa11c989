import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutToWidth, padToWidth, wrapToWidth } from './text-width.ts';

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['a longer text', 8, 'a longe…'],
  ['日本語のテキスト', 7, '日本語…'],
  ['日本語', 6, '日本語'],
  ['e\u0301e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301…'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
  ['x', 0, ''],
])('%j in %d columns is %j', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
  expect(stringWidth(cut)).toBeLessThanOrEqual(width);
});

test('padding counts columns, not characters', () => {
  expect(padToWidth('日本', 6)).toBe('日本  ');
  expect(padToWidth('longer', 3)).toBe('longer');
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', Number.POSITIVE_INFINITY, ['one two three']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['a abcdefgh', 4, ['a', 'abcd', 'efgh']],
  ['日本語のテ', 4, ['日本', '語の', 'テ']],
  ['abce\u0301f', 4, ['abce\u0301', 'f']],
  ['one two ', 4, ['one', 'two ']],
  ['    deep', 4, ['    ', 'deep']],
  ['', 5, ['']],
])('%j at %d columns breaks into %j', (text, width, lines) => {
  expect(wrapToWidth(text, width)).toEqual(lines);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
});

test.each(['x', '字'])('a line of hundreds of thousands of %s is broken in one go, with nothing lost', (letter) => {
  const text = letter.repeat(400_000);
  const lines = wrapToWidth(text, 80);
  expect(lines.length).toBe(stringWidth(letter) * 5_000);
  expect(lines.join('') === text).toBe(true);
});
