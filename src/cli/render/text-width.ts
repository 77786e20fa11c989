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

/**
 * Breaks a text of one line into lines of at most so many columns: between words where it can, else anywhere. Looks at no more
 * than the beginning of what is left each time, since a line that is not ours may have millions of letters.
 */
export function wrapToWidth(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const most = Math.max(2, width);
  const lines: string[] = [];
  for (let at = 0; ; ) {
    const ahead = text.slice(at, at + most * MOST_UNITS_IN_COLUMN);
    const whole = beginning(ahead, most);
    if (at + whole.length === text.length) return [...lines, whole];
    const blank = ahead[whole.length] === ' ' ? whole.length : whole.lastIndexOf(' ');
    const end = blank > 0 && whole.slice(0, blank).trim() !== '' ? blank : Math.max(1, whole.length);
    lines.push(ahead.slice(0, end));
    at += ahead[end] === ' ' ? end + 1 : end;
  }
}

/** Code units that one column may take before a character is split: many marks can stand on one letter, a crowd need not. */
const MOST_UNITS_IN_COLUMN = 64;

const PLAIN = /^[ -~]*$/;

/** The longest beginning of at most so many columns that splits no character. */
function beginning(text: string, width: number): string {
  // A mark on the last letter would stand behind it.
  if (PLAIN.test(text.slice(0, width + 1))) return text.slice(0, width);
  let taken = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += stringWidth(segment);
    if (columns > width) break;
    taken += segment;
  }
  return taken;
}
