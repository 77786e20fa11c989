import { decodeText, sha256, splitLines } from '../base/index.ts';
import { compareTexts } from './changed-lines.ts';
import type { WriteObservation } from './observation.ts';
import { securityTopics } from './security-paths.ts';

type Entry = WriteObservation['entry'];

/** Bytes that were put in place of others; `before` is left out for a new file. */
export function fileWritten(path: string, before: Buffer | undefined, after: Buffer, entry?: Entry): WriteObservation {
  const now = textIn(after);
  const { changed, putIn, takenOut } = compareTexts(before === undefined ? '' : textIn(before), now);
  return {
    kind: 'write',
    path,
    change: before === undefined ? 'created' : 'modified',
    changed: [...changed],
    total_lines: splitLines(now).length,
    sha256: sha256(after),
    ...(entry !== undefined && { entry }),
    security: securityTopics({ path, text: `${putIn}\n${takenOut}` }),
  };
}

/** `bytes`: what is gone; `undefined` when it could not be read. */
export function fileDeleted(path: string, bytes: Buffer | undefined): WriteObservation {
  const security = securityTopics({ path, text: bytes === undefined ? '' : textIn(bytes) });
  return { kind: 'write', path, change: 'deleted', changed: [], total_lines: 0, security };
}

/**
 * Something else than a tool left these bytes, of a link its target. A file that was there names no line, which means all of
 * them; what cannot be read (too large, a credential) has neither lines nor a digest, so that nobody can claim to have seen it.
 */
export function fileRewritten(
  path: string,
  change: 'created' | 'modified',
  bytes: Buffer | undefined,
  entry?: Entry,
): WriteObservation {
  if (bytes === undefined) {
    return { kind: 'write', path, change, changed: [], total_lines: 0, security: securityTopics({ path }) };
  }
  const written = fileWritten(path, undefined, bytes, entry);
  return change === 'created' ? written : { ...written, change, changed: [] };
}

/** A move is a deletion and a creation. */
export function fileMoved(from: string, to: string, bytes: Buffer, entry?: Entry): WriteObservation[] {
  return [fileDeleted(from, bytes), { ...fileWritten(to, undefined, bytes, entry), moved_from: from }];
}

/** What is no UTF-8 has lines too: whoever prints it shows them one by one. */
function textIn(bytes: Buffer): string {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.content.text : bytes.toString('latin1');
}
