/** A longer line holds more than the entry: a whole file without line ends, say. */
const LONG_LINE = 200;

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
  const removed = old.slice(start, old.length - end);
  const added = made.slice(start, made.length - end);
  cutCommonEnds(removed, added);
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return [`@@ line ${start + 1} @@`, ...lines].join('\n');
}

/** What stays in a long line that changes is as little part of the change as the lines around it. */
function cutCommonEnds(removed: string[], added: string[]): void {
  const [from = '', to = ''] = [removed[0], added[0]];
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start += 1;
  if (start > LONG_LINE) {
    removed[0] = `…${from.slice(start)}`;
    added[0] = `…${to.slice(start)}`;
  }
  const [last = '', made = ''] = [removed.at(-1), added.at(-1)];
  let end = 0;
  while (end < Math.min(last.length, made.length) && last.at(-1 - end) === made.at(-1 - end)) end += 1;
  if (end > LONG_LINE) {
    removed[removed.length - 1] = `${last.slice(0, last.length - end)}…`;
    added[added.length - 1] = `${made.slice(0, made.length - end)}…`;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
