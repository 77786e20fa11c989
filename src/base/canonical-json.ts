import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The RFC 8785 text of a JSON value; `undefined` members are left out, as JSON does. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** Lower-case hexadecimal SHA-256 of bytes, or of a text's UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
