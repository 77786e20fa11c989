import { visibleLine } from '../../base/index.ts';

export type PlacePath =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Bytes; what Linux takes. */
const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;

/**
 * The path that everything else goes by: relative to the root, `/` between names, no `.` and no empty names; `''` is the
 * root itself. An absolute path below the root is the same path. `..` is refused even where it would stay inside: behind a link
 * the text and the disk disagree.
 */
export function placePath(root: string, written: string): PlacePath {
  if (written.includes('\0')) return refused(written, 'contains a NUL');
  const relative = written.startsWith('/') ? below(root, written) : written;
  if (relative === undefined) return refused(written, 'lies outside the repository');
  const names = relative.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return refused(written, 'contains ..');
  const tooLong =
    Buffer.byteLength(relative) > LONGEST_PATH || names.some((name) => Buffer.byteLength(name) > LONGEST_NAME);
  return tooLong ? refused(written, 'is too long') : { kind: 'inside', path: names.join('/') };
}

function below(root: string, path: string): string | undefined {
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}

function refused(written: string, what: string): PlacePath {
  const shown = visibleLine(written.slice(0, 200));
  return { kind: 'refused', reason: `${shown} ${what}; name a path relative to the repository's root, without ..` };
}
