/**
 * Git's file names are bytes. Inside Remit a path is a string in which each byte that is not valid UTF-8 stands as a
 * lone surrogate U+DC80..U+DCFF (the convention of Python's PEP 383), so that a name survives every step unchanged.
 */

const FIRST_ESCAPE = 0xdc80;
const LAST_ESCAPE = 0xdcff;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of a file name to Remit's path string; never fails, and `encodePath` gives the same bytes back. */
export function decodePath(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decodeWithEscapes(bytes);
  }
}

function decodeWithEscapes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = validSequenceLength(bytes, at);
    if (length === 0) {
      text += String.fromCharCode(FIRST_ESCAPE - 0x80 + (bytes[at] ?? 0));
      at += 1;
    } else {
      text += strictUtf8.decode(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return text;
}

function validSequenceLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    try {
      strictUtf8.decode(bytes.subarray(at, at + length));
      return length;
    } catch {
      // A longer sequence may still be valid.
    }
  }
  return 0;
}

/** Remit's path string to the bytes of the file name. */
export function encodePath(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path, 'utf8');
  const parts: Buffer[] = [];
  for (const character of path) {
    const code = character.charCodeAt(0);
    const isEscape = character.length === 1 && code >= FIRST_ESCAPE && code <= LAST_ESCAPE;
    parts.push(isEscape ? Buffer.from([code - FIRST_ESCAPE + 0x80]) : Buffer.from(character, 'utf8'));
  }
  return Buffer.concat(parts);
}
