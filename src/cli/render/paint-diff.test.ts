import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { paintDiff } from './paint-diff.ts';

const named = (format: string, text: string) => `<${format}>${text}</>`;

const DIFF = `diff --git a/x.sql b/x.sql
index 1..2 100644
--- a/x.sql
+++ b/x.sql
@@ -1,3 +1,3 @@ begin
 same
--- a/secret.txt
+++ b/secret.txt
 same
\\ No newline at end of file
diff --git a/y b/y
`;

test('colours a diff line by line, and takes changed text inside a hunk for what it is', () => {
  expect(paintDiff(DIFF, named).split('\n')).toEqual([
    '<bold>diff --git a/x.sql b/x.sql</>',
    '<bold>index 1..2 100644</>',
    '<bold>--- a/x.sql</>',
    '<bold>+++ b/x.sql</>',
    '<cyan>@@ -1,3 +1,3 @@ begin</>',
    ' same',
    '<red>--- a/secret.txt</>',
    '<green>+++ b/secret.txt</>',
    ' same',
    '<dim>\\ No newline at end of file</>',
    '<bold>diff --git a/y b/y</>',
    '',
  ]);
});

test('a hunk of one line needs no count, and one that was cut ends with the next header', () => {
  expect(paintDiff('@@ -1 +1 @@\n-a\n+b\n--- a/x\n', named)).toBe(
    '<cyan>@@ -1 +1 @@</>\n<red>-a</>\n<green>+b</>\n<bold>--- a/x</>\n',
  );
  expect(paintDiff('@@ -1,9 +1,9 @@\n a\ndiff --git a/x b/x\n', named)).toContain('<bold>diff --git a/x b/x</>');
});

test('nothing in a diff reaches the terminal as a command; without colour it is the diff itself', () => {
  const hostile = '@@ -0,0 +1 @@\n+\u001b[2J\u202e\u0007\r\n';
  expect(paintDiff(hostile, (_, text) => text)).toBe('@@ -0,0 +1 @@\n+\\x1B[2J\\u{202E}\\x07\\r\n');
  expect(paintDiff(DIFF, (_, text) => text)).toBe(DIFF);
  expect(stripVTControlCharacters(paintDiff(DIFF, (_, text) => `\u001b[1m${text}\u001b[22m`))).toBe(DIFF);
});
