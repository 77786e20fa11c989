import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeJsonFault } from './json-fault.ts';

test.each([
  ['{"a": 1,}', 'line 1, column 8: a comma before "}"'],
  ['[\n  1,\n  2,\n]', 'line 3, column 4: a comma before "]"'],
  ['{"a": 1\n "b": 2}', 'line 2, column 2: "b" where a comma or the closing bracket should stand'],
  ["{'a': 1}", 'line 1, column 2: a single quote; texts and names stand in double quotes'],
  ['{a: 1}', 'line 1, column 2: "a" is no JSON'],
  ['{"a": "x\n"}', 'line 1, column 7: a text without an end on its line, or with a wrong escape'],
  ['{"a" 1}', 'line 1, column 6: "1" where ":" should stand'],
  ['{"a": }', 'line 1, column 7: "}" where a value should stand'],
  ['[1}', 'line 1, column 3: "}" where a comma or the closing bracket should stand'],
  ['{} {}', 'line 1, column 4: "{" where the end should stand'],
  ['{"a": [', 'line 1, column 8: the text ends before the JSON does'],
  ['', 'line 1, column 1: the text ends before the JSON does'],
])('names place and reason in %j', (text, fault) => {
  expect(describeJsonFault(text)).toBe(fault);
});

test('a fault is found in exactly the texts that are not JSON', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.constantFrom('', ',', '"', '{', ']', '0', '-', '\\', 'e', '\n'))
    .map(([text, at, removed, added]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + added + text.slice(place + removed);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      expect(describeJsonFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});

test('a large text is read to its end', () => {
  const large = `[${'"'.padEnd(2_000_000, 'x')}",${'['.repeat(200_000)}`;
  expect(describeJsonFault(large)).toContain('the text ends');
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
