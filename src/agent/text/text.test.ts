import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, splitLines, withBreaks } from '../../base/index.ts';
import { compareTexts } from '../../evidence/index.ts';
import { replaceText } from './replace-text.ts';

const word = fc.constantFrom('', 'a', 'b', 'ab', 'ä', '  a', '\ta', 'a b', '😀', 'a\rb');
const lines = fc.array(word, { maxLength: 12 });
const lineBreak = fc.constantFrom<'\n' | '\r\n'>('\n', '\r\n');

/** The content of `after` from that of `before` and the lines that are said to be new; undefined when that does not explain it. */
function unexplained(before: string, after: string): string[] {
  const { changed } = compareTexts(before, after);
  const isChanged = (line: number) => changed.some(({ from, to }) => from <= line && line <= to);
  const old = splitLines(before);
  let at = 0;
  return splitLines(after).filter((line, index) => {
    if (isChanged(index + 1)) return false;
    const found = old.indexOf(line, at);
    at = found + 1;
    return found < 0;
  });
}

describe('a text', () => {
  test('comes back from its bytes as the same bytes, with and without a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, byteOrderMark) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
        const bytes = encodeText({ text, byteOrderMark });
        expect(decodeText(bytes)).toEqual({ kind: 'text', content: { text, byteOrderMark } });
      }),
    );
  });

  test.each([
    ['binary', Buffer.from([0x89, 0x50, 0x00, 0x47])],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['no UTF-8', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
    ['no UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
  ])('that is %s is refused with a sentence', (what, bytes) => {
    expect(decodeText(bytes)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(what) });
  });
});

describe('replacing', () => {
  test('and replacing back gives the same bytes, whichever line breaks there are', () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, lineBreak, (before, old, next, after, breaks) => {
        const [oldText, newText] = [`<old>\n${old.join('\n')}`, `<new>\n${next.join('\n')}`];
        const original = withBreaks([...before, oldText, ...after].join('\n'), breaks);
        const there = replaceText(original, { oldText, newText, all: false });
        if (there.kind !== 'replaced') return fc.pre(false);
        expect(there.text).not.toBe(original);
        const back = replaceText(there.text, { oldText: newText, newText: oldText, all: false });
        fc.pre(back.kind !== 'ambiguous');
        expect(back).toMatchObject({ kind: 'replaced', text: original });
      }),
    );
  });

  test('gives new lines the breaks of their place and leaves every other byte alone', () => {
    const mixed = 'one\r\ntwo\nthree\r\nfour';
    expect(replaceText(mixed, { oldText: 'one', newText: 'one\nand', all: false })).toMatchObject({
      text: 'one\r\nand\r\ntwo\nthree\r\nfour',
    });
    expect(replaceText(mixed, { oldText: 'two', newText: 'two\r\nand', all: false })).toMatchObject({
      text: 'one\r\ntwo\nand\nthree\r\nfour',
    });
    expect(replaceText(mixed, { oldText: 'one\ntwo\nthree', newText: '1\n2\n3', all: false })).toMatchObject({
      text: '1\r\n2\n3\r\nfour',
    });
  });

  test('never mixes breaks in a file that has one kind', () => {
    fc.assert(
      fc.property(lines, lines, lines, (before, next, after) => {
        const original = ['x', ...before, '<old>', ...after].join('\r\n');
        const outcome = replaceText(original, { oldText: '<old>', newText: next.join('\n'), all: false });
        const text = outcome.kind === 'replaced' ? outcome.text : '';
        expect(text.match(/(?<!\r)\n/)).toBeNull();
      }),
    );
  });

  test('says how many places there are and where, overlapping ones too', () => {
    expect(replaceText('aaa\nb\naa', { oldText: 'aa', newText: '', all: false })).toEqual({
      kind: 'ambiguous',
      count: 3,
      lines: [1, 1, 3],
    });
    expect(replaceText('aaa\nb\naa', { oldText: 'aa', newText: 'c', all: true })).toMatchObject({
      text: 'ca\nb\nc',
      count: 2,
    });
  });

  test('says where the same words stand with other white space', () => {
    const text = 'if (x) {\n\treturn  y;\n}\n';
    expect(replaceText(text, { oldText: '    return y;\n}', newText: '', all: false })).toEqual({
      kind: 'not_found',
      similarLine: 2,
    });
    expect(replaceText(text, { oldText: 'return z;', newText: '', all: false })).toEqual({ kind: 'not_found' });
  });

  test('takes a text with dollar signs as it is', () => {
    expect(replaceText('a', { oldText: 'a', newText: "$& $1 $' $`\n$$", all: false })).toMatchObject({
      text: "$& $1 $' $`\n$$",
    });
  });
});

describe('the changed lines', () => {
  test('explain every line that is not taken over in order from the old text', () => {
    fc.assert(
      fc.property(lines, lines, lineBreak, lineBreak, (before, after, oldBreak, newBreak) => {
        expect(unexplained(before.join(oldBreak), after.join(newBreak))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['a\nb\nc\n', 'a\nB\nc\n', [{ from: 2, to: 2 }]],
    ['a\nb\nc\n', 'a\nb\nc\nd\n', [{ from: 4, to: 4 }]],
    ['a\nb\nc\n', 'a\nc\n', [{ from: 1, to: 2 }]],
    ['a\nb\n', 'a\n', [{ from: 1, to: 1 }]],
    ['a\n', '', []],
    ['', 'a\nb', [{ from: 1, to: 2 }]],
    ['a\n', 'a', [{ from: 1, to: 1 }]],
    ['a\r\nb\r\n', 'a\nb\r\n', [{ from: 1, to: 1 }]],
    [
      '1\n2\n3\n4\n5\n6\n',
      'X\n2\n3\n4\n5\nY\n',
      [
        { from: 1, to: 1 },
        { from: 6, to: 6 },
      ],
    ],
    ['same\n', 'same\n', []],
  ])('of %j and %j are %j', (before, after, changed) => {
    expect(compareTexts(before, after).changed).toEqual(changed);
  });

  test('come with the texts that came and went', () => {
    expect(compareTexts('1\n2\n3\n4\n', '1\nB\n3\n')).toMatchObject({ putIn: 'B\n', takenOut: '2\n4\n' });
  });

  test('of texts that differ nearly everywhere are one range, in bounded time', () => {
    const text = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${(at * seed) % 9973}\n`).join('');
    expect(compareTexts(`same\n${text(7)}`, `same\n${text(11)}`).changed).toEqual([{ from: 3, to: 20_001 }]);
  });
});
