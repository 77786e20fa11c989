/** Texts by the columns that they take on a terminal: a Chinese character takes two, a combining one none. */
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts a text of one line to so many columns; what was cut ends with `…`. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 1 ? '' : `${beginning(text, width - 1)}…`;
}

/** Fills a text with blanks up to so many columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Breaks a text of one line into lines of at most so many columns: between words where it can, else anywhere. */
export function wrapToWidth(text: string, width: number): string[] {
  const most = Math.max(2, width);
  const lines: string[] = [];
  let rest = text;
  while (stringWidth(rest) > most) {
    const whole = beginning(rest, most);
    const blank = rest[whole.length] === ' ' ? whole.length : whole.lastIndexOf(' ');
    const end = blank > 0 && whole.slice(0, blank).trim() !== '' ? blank : Math.max(1, whole.length);
    lines.push(rest.slice(0, end));
    rest = rest[end] === ' ' ? rest.slice(end + 1) : rest.slice(end);
  }
  return [...lines, rest];
}

/** The longest beginning of at most so many columns that splits no character. */
function beginning(text: string, width: number): string {
  let taken = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += stringWidth(segment);
    if (columns > width) break;
    taken += segment;
  }
  return taken;
}
