/** A text file's bytes as text. What a save must not lose (byte order mark, line breaks) stays apart or as it is. */
export interface TextContent {
  /** Without the byte order mark; line breaks as they stand in the file. */
  readonly text: string;
  readonly byteOrderMark: boolean;
}

export type Decoded =
  | { readonly kind: 'text'; readonly content: TextContent }
  | { readonly kind: 'refused'; readonly reason: string };

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Only UTF-8: a text of another encoding that is guessed at comes back from an edit as other bytes. */
export function decodeText(bytes: Buffer): Decoded {
  if (startsWithUtf16Mark(bytes)) return refused('is encoded in UTF-16');
  if (bytes.includes(0)) return refused('is binary');
  const byteOrderMark = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  try {
    const text = strictUtf8.decode(byteOrderMark ? bytes.subarray(3) : bytes);
    return { kind: 'text', content: { text, byteOrderMark } };
  } catch {
    return refused('is no UTF-8 text');
  }
}

export function encodeText({ text, byteOrderMark }: TextContent): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return byteOrderMark ? Buffer.concat([BYTE_ORDER_MARK, bytes]) : bytes;
}

function startsWithUtf16Mark(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function refused(what: string): Decoded {
  return {
    kind: 'refused',
    reason: `${what}; the file tools work on UTF-8 text only (delete_file and move_file on any file)`,
  };
}
