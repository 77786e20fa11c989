import { visibleText } from '../../base/index.ts';
import type { Style } from '../terminal.ts';

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * A unified diff in colour, each line by itself; its text stays as it is but for what a terminal would obey. Lines inside a
 * hunk are counted, so that changed text cannot dress up as the header of another file.
 */
export function paintDiff(diff: string, style: Style): string {
  let [removed, added] = [0, 0];
  const painted = visibleText(diff)
    .split('\n')
    .map((line) => {
      const mark = line[0];
      const isInside = (removed > 0 || added > 0) && (mark === ' ' || mark === '+' || mark === '-');
      if (isInside) {
        if (mark !== '+') removed -= 1;
        if (mark !== '-') added -= 1;
        return paintChange(line, style);
      }
      const hunk = HUNK.exec(line);
      if (hunk) [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      return line === '' ? line : paintHeader(line, hunk !== null, style);
    });
  return painted.join('\n');
}

function paintChange(line: string, style: Style): string {
  if (line.startsWith('+')) return style('green', line);
  return line.startsWith('-') ? style('red', line) : line;
}

function paintHeader(line: string, isHunk: boolean, style: Style): string {
  if (isHunk) return style('cyan', line);
  return line.startsWith('\\') ? style('dim', line) : style('bold', line);
}
