import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const plain = (_format: string, text: string) => text;
const marked = (format: string, text: string) => `<${format}>${text}</>`;

const DIFF = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new words here\n';

test('puts each line behind a margin and breaks what is longer than the screen', () => {
  expect(diffLines(DIFF, plain, 14)).toEqual([
    '  │ --- a/x',
    '  │ +++ b/x',
    '  │ @@ -1 +1',
    '  │ @@',
    '  │ -old',
    '  │ +new words',
    '  │ here',
  ]);
});

test('colours each piece of a broken line by itself', () => {
  const lines = diffLines(DIFF, marked, 14);
  expect(lines.slice(-2)).toEqual(['<dim>  │ </><green>+new words</>', '<dim>  │ </><green>here</>']);
});

test('shortens the hashes of a header, and nothing that looks like one', () => {
  const header = `index ${'a'.repeat(40)}..${'b'.repeat(40)} 100644`;
  expect(diffLines(`${header}\n@@ -1 +1 @@\n+${header}\n`, plain, 200)).toEqual([
    '  │ index aaaaaaaaaa..bbbbbbbbbb 100644',
    '  │ @@ -1 +1 @@',
    `  │ +${header}`,
  ]);
});

test('keeps tabs where they fit, and escapes what a terminal would obey', () => {
  expect(diffLines('@@ -1 +1 @@\n-\tx\n+\u001b[2J\n', plain, 40).slice(1)).toEqual(['  │ -\tx', '  │ +\\x1B[2J']);
});
