import { expect, test } from 'vitest';
import { parseCommentedJson } from './commented-json.ts';

test('comments are read over, and what looks like one inside a string is text', () => {
  const text = '{ // one\n "a": "// no \\" /* comment */", /* two\n lines */ "b": 1 }';
  expect(parseCommentedJson(text)).toEqual({ a: '// no " /* comment */', b: 1 });
});

test.each(['{} /* open', '{} /*/', '{"a": "open', '{"a": "open\\'])('%j is not closed, so it is refused', (text) => {
  expect(() => parseCommentedJson(text)).toThrow(SyntaxError);
});

test.each([
  ['a string', `"${'\\"'.repeat(1_000_000)}`],
  ['a comment', '/* '.repeat(1_000_000)],
])('%s of megabytes that is not closed is refused in one go', (_what, text) => {
  expect(() => parseCommentedJson(text)).toThrow(SyntaxError);
});
