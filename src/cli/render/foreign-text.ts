import { visibleLine, visibleText } from '../../base/index.ts';
import type { Style } from '../terminal.ts';
import { wrapToWidth } from './text-width.ts';

/** Stands before each line that is not ours; none of our own lines begins so. */
const MARGIN = '│ ';
const TAB = '    ';

/**
 * The words of a worker, a contract or a program, each line behind a margin, so that none can pass for one of ours: a long
 * line is broken here, since a terminal would go on with it in its first column. Controls come out as escapes.
 */
export function quoted(text: string, style: Style, width: number, indent = '  '): string[] {
  if (text.trim() === '') return [];
  const room = width - indent.length - MARGIN.length;
  const lines = visibleText(text.replaceAll('\r\n', '\n')).trimEnd().replaceAll('\t', TAB).split('\n');
  return lines.flatMap((line) => wrapToWidth(line, room)).map((line) => `${indent}${style('dim', MARGIN)}${line}`);
}

/** A text that is not ours inside one of our lines: never more than that line. */
export function inline(text: string): string {
  // Not by one expression: a long run of blanks, which a worker can send, would cost its square.
  const lines = text.split('\n').map((line) => line.trim());
  return visibleLine(lines.filter((line) => line !== '').join(' '));
}

/**
 * One of our own sentences, that may name foreign things, on as many lines as it needs. Those after the first stand behind
 * the margin, too: where a line breaks is up to who wrote the text. Where no word of ours begins the first one, it stands there
 * with them.
 */
export function paragraph(first: string, text: string, width: number): string {
  return behindMargin(first, [inline(text)], width);
}

/** The same for a text whose own lines are to stay apart. */
export function paragraphs(first: string, text: string, width: number): string {
  return behindMargin(
    first,
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(inline),
    width,
  );
}

function behindMargin(first: string, texts: readonly string[], width: number): string {
  const further = `${' '.repeat(Math.max(2, first.length - MARGIN.length))}${MARGIN}`;
  return texts
    .flatMap((text) => wrapToWidth(text, width - Math.max(first.length, further.length)))
    .map(
      (line, index, { length }) => `${index === 0 && (length === 1 || first.trim() !== '') ? first : further}${line}`,
    )
    .join('\n');
}
