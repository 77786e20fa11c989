import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('is the same value for a program, without a character that a terminal would obey or hide', () => {
  const value = { text: 'a\u001b[2J\u009b\u202e\u2028\u200b日本\n', list: [1, null] };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toContain('\\u202e');
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e]/);
  expect(text).toContain('日本');
  expect(jsonText(value, 2)).toContain('\n  "list": [');
});
