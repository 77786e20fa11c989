import { expect, test } from 'vitest';
import { mixedWords } from './mixed-scripts.ts';

test.each<[string, string[]]>([
  ['is\u0410dmin', ['is\\u{410}dmin']],
  ['if (p\u0430ssword === p\u0430ssword) \u0440ay()', ['p\\u{430}ssword', '\\u{440}ay']],
  ['src/\u0430uth/x.ts', ['\\u{430}uth']],
  ['C\u039fNST', ['C\\u{39F}NST']],
  ['\u043f\u0440\u0438\u0432\u0435\u0442, world', []],
  ['\u03bcs \u0394x 2\u03c0r \u03bbf', []],
  ['na\u00efve caf\u00e9 \u65e5\u672c\u8a9eText', []],
  ['', []],
])('%j has the mixed words %j', (text, words) => {
  expect(mixedWords(text)).toEqual(words);
});

test('of many mixed words the first few are told, each short', () => {
  const words = mixedWords(Array.from({ length: 100_000 }, (_, n) => `a\u0430${n}`).join(' '));
  expect(words).toHaveLength(8);
  expect(mixedWords(`a${'\u0430'.repeat(10_000)}`).join().length).toBeLessThan(500);
});
