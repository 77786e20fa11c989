import { visibleText } from '../../base/index.ts';
import { paintDiff } from '../render/paint-diff.ts';
import { wrapToWidth } from '../render/text-width.ts';
import type { Style } from '../terminal.ts';

const MARGIN = '  │ ';
const TAB = ' '.repeat(8);

/** Only Git's own line begins so: changed text stands behind a mark. Whole, it is longer than most screens are wide. */
const HASHES = /^index ([0-9a-f]{10})[0-9a-f]{30,54}\.\.([0-9a-f]{10})[0-9a-f]{30,54}/gm;

/** A diff in colour, each line behind a margin and none longer than the screen, so that no line of it can pass for one of ours. */
export function diffLines(diff: string, style: Style, width: number): string[] {
  const shown = diff.trimEnd().replaceAll(HASHES, (_, before: string, after: string) => `index ${before}..${after}`);
  const lines = visibleText(shown).split('\n');
  const painted = paintDiff(shown, style).split('\n');
  const room = width - MARGIN.length;
  return lines
    .flatMap((line, index) => brokenLine(line, painted[index] ?? line, room))
    .map((line) => `${style('dim', MARGIN)}${line}`);
}

/** A painted line is the line between two codes; each piece of a longer one gets both. */
function brokenLine(line: string, painted: string, room: number): string[] {
  const pieces = wrapToWidth(line.replaceAll('\t', TAB), room);
  if (pieces.length === 1) return [painted];
  const [before = '', after = ''] = painted.split(line);
  return pieces.map((piece) => `${before}${piece}${after}`);
}
