import { expect, test } from 'vitest';
import { OutputLines } from './output-lines.ts';

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const shown: string[] = [];
  const lines = new OutputLines((line) => shown.push(line));
  for (const chunk of chunks) lines.add(Buffer.from(chunk));
  lines.end();
  return shown;
}

test('lines come whole however the output is cut, the last one without its end too', () => {
  expect(linesOf('on', 'e\ntwo', '\r\nthree')).toEqual(['one', 'two', 'three']);
});

test('a character that is cut between two chunks stays one character', () => {
  const bytes = Buffer.from('é\n');
  expect(linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['é']);
});

test('colours go, and what a terminal would obey or hide is shown as an escape', () => {
  expect(linesOf('\u001b[31mred\u001b[0m \u0007 \u202e\n')).toEqual(['red \\x07 \\u{202E}']);
});

test('a credential that comes in two chunks is shown as redacted', () => {
  const [line] = linesOf('token ghp_0123456789abcd', 'efghijklmnopqrstuvwxyzABCDEF\n');
  expect(line).not.toContain('ghp_0123456789');
});

test('a line without an end and a flood of lines are cut', () => {
  expect(Math.max(...linesOf('x'.repeat(100_000)).map((line) => line.length))).toBe(2_048);
  const flood = linesOf('y\n'.repeat(20_000));
  expect(flood).toHaveLength(5_001);
  expect(flood.at(-1)).toContain('the rest is in the log');
});
