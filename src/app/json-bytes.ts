/** Sizes of texts inside JSON, counted no further than needed. */

/** Bytes that a string takes inside JSON, quotes included, as `JSON.stringify` writes it. */
export function jsonTextBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/**
 * The end (in UTF-16 units) of the longest piece of `text` from `start` whose JSON text, with quotes, takes at most `room`
 * bytes. Never splits a character. Looks at no more of the text than fits.
 */
export function fittingEnd(text: string, start: number, room: number): number {
  let bytes = 2;
  let end = start;
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0;
    bytes += escapedBytes(point);
    if (bytes > room) return end;
    end += point > 0xffff ? 2 : 1;
  }
  return end;
}

/** What one character takes inside a JSON string. */
function escapedBytes(point: number): number {
  if (point === 0x22 || point === 0x5c) return 2;
  if (point < 0x20) return '\b\t\n\f\r'.includes(String.fromCharCode(point)) ? 2 : 6;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  if (point >= 0xd800 && point <= 0xdfff) return 6;
  return point > 0xffff ? 4 : 3;
}
