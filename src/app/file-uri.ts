/**
 * The absolute path that a `file:` URI names (RFC 8089), or undefined for one that names none on this machine: with a
 * host, a query, a fragment, a relative or dotted path, a Windows drive, a wrong escape, or an escape of `/` or NUL.
 * Stricter than a URL parser, which would quietly drop or resolve these.
 */
export function pathOfFileUri(uri: string): string | undefined {
  const path = /^file:\/\/(\/[^?#]*)$/i.exec(uri)?.[1];
  if (path === undefined || path.length > 8_192) return undefined;
  const segments: string[] = [];
  for (const encoded of path.split('/').filter((segment) => segment !== '')) {
    const segment = decodeSegment(encoded);
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  const isWindowsDrive = /^[A-Za-z][:|]$/.test(segments[0] ?? '');
  return isWindowsDrive ? undefined : `/${segments.join('/')}`;
}

function decodeSegment(encoded: string): string | undefined {
  try {
    // Throws for an incomplete escape and for bytes that are no UTF-8.
    const segment = decodeURIComponent(encoded);
    const isPlain = segment !== '.' && segment !== '..' && !/[/\u0000-\u001f\u007f]/.test(segment);
    return isPlain && segment.isWellFormed() ? segment : undefined;
  } catch {
    return undefined;
  }
}
