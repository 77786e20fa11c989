/**
 * Text from a repository or a worker, made safe to show: terminal controls, bidirectional overrides, invisible
 * characters and bytes that are no text come out as escapes, so that what a reviewer sees is what is there (CVE-2021-42574).
 */

/** With the letters that fonts draw as nothing (Hangul fillers are letters of identifiers) and the selectors that hide data. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]|\u034f|[\u17b4\u17b5]|[\u180b-\u180d]|[\ufe00-\ufe0d]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Escapes what a terminal would obey or hide; keeps tab and newline. A lone surrogate is a raw byte: `\xE9`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** The same for one line: a name or a short message; tab and newline are escaped too. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return '\\r';
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16).toUpperCase()}`;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`
    : `\\u{${code.toString(16).toUpperCase()}}`;
}

/** Cuts a text to at most `maxBytes` of UTF-8 without splitting a character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
