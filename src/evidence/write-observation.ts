import { decodeText, sha256, splitLines } from '../base/index.ts';
import { compareTexts } from './changed-lines.ts';
import type { WriteObservation } from './observation.ts';
import { securityTopics } from './security-paths.ts';

/** A text that was put in place; `before` is left out for a new file. */
export function textWritten(path: string, before: string | undefined, after: string, digest: string): WriteObservation {
  const { changed, putIn, takenOut } = compareTexts(before ?? '', after);
  return {
    kind: 'write',
    path,
    change: before === undefined ? 'created' : 'modified',
    changed: [...changed],
    total_lines: splitLines(after).length,
    sha256: digest,
    security: securityTopics({ path, text: `${putIn}\n${takenOut}` }),
  };
}

/** `bytes`: what is gone; `undefined` when it could not be read. */
export function fileDeleted(path: string, bytes: Buffer | undefined): WriteObservation {
  const security = securityTopics({ path, text: bytes === undefined ? '' : textIn(bytes) });
  return { kind: 'write', path, change: 'deleted', changed: [], total_lines: 0, security };
}

/**
 * Something else than a tool left these bytes. A file that was there names no line, which means all of them; what cannot be
 * read (a link, a credential) has neither lines nor a digest, so that nobody can claim to have seen it.
 */
export function fileRewritten(
  path: string,
  change: 'created' | 'modified',
  bytes: Buffer | undefined,
): WriteObservation {
  if (bytes === undefined) {
    return { kind: 'write', path, change, changed: [], total_lines: 0, security: securityTopics({ path }) };
  }
  const written = textWritten(path, undefined, textIn(bytes), sha256(bytes));
  return change === 'created' ? written : { ...written, change, changed: [] };
}

/** A move is a deletion and a creation. A file that is no text has no lines; its digest stands for it. */
export function fileMoved(from: string, to: string, bytes: Buffer, digest: string): WriteObservation[] {
  const created = textWritten(to, undefined, textIn(bytes), digest);
  return [fileDeleted(from, bytes), { ...created, moved_from: from }];
}

function textIn(bytes: Buffer): string {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.content.text : '';
}
