export type LineBreak = '\n' | '\r\n';

/** The lines of a text with their breaks. A text that ends with a break has no empty line after it; the empty text has none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** A line without its break. */
export function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** The break of most lines; `undefined` for a text without any. */
export function commonBreak(text: string): LineBreak | undefined {
  const all = text.split('\n').length - 1;
  if (all === 0) return undefined;
  const carriages = text.split('\r\n').length - 1;
  return carriages * 2 > all ? '\r\n' : '\n';
}

/** The same text with one kind of break everywhere. */
export function withBreaks(text: string, lineBreak: LineBreak): string {
  const plain = text.replaceAll('\r\n', '\n');
  return lineBreak === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}
