import { expect, test } from 'vitest';
import { inline, paragraph } from './foreign-text.ts';

test.each([
  ['  one\n\n  two \r\n three  ', 'one two three'],
  ['one  two', 'one  two'],
  ['one\u001b[2Jtwo', 'one\\x1B[2Jtwo'],
  [' \n ', ''],
])('%j stands in a line as %j', (text, line) => {
  expect(inline(text)).toBe(line);
});

test('a text of a million blanks is one line in one go', () => {
  const blanks = ' '.repeat(1_000_000);
  expect(inline(`a${blanks}b\n`) === `a${blanks}b`).toBe(true);
});

test.each([
  ['  why   ', 'one two', '  why   one two'],
  ['  why   ', 'one two three', '  why   one two\n      │ three'],
  ['    ', 'one two', '    one two'],
  ['    ', 'one two three four', '  │ one two three\n  │ four'],
])('after %j the text %j reads %j', (first, text, told) => {
  expect(paragraph(first, text, 17)).toBe(told);
});
