/**
 * The lines that differ between two texts, as one block in the manner of `diff -U0`, without lines around it: those may hold
 * the keys of other servers.
 */
export function changedLines(before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(old.length, made.length);
  let start = 0;
  while (start < shortest && old[start] === made[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === made.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`);
  const added = made.slice(start, made.length - end).map((line) => `+${line}`);
  return [`@@ line ${start + 1} @@`, ...removed, ...added].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
