import { contains } from './host-paths.ts';

/** One place in the box that differs from the read-only root. */
export type Mount =
  | { readonly kind: 'scratch'; readonly path: string; readonly sizeBytes: number }
  | { readonly kind: 'writable'; readonly path: string }
  | { readonly kind: 'read_only'; readonly path: string }
  | { readonly kind: 'hidden_directory'; readonly path: string }
  | { readonly kind: 'hidden_file'; readonly path: string };

/** Of two mounts at the same path the stricter stands. */
const STRICTNESS = { scratch: 0, writable: 1, read_only: 2, hidden_directory: 3, hidden_file: 3 } as const;

/**
 * In the order of mounting: what contains comes before what it contains, so that the more specific wins. What would change
 * nothing is left out: it costs time, and an empty folder's name inside a hidden one would tell of it.
 */
export function arrangeMounts(mounts: readonly Mount[]): Mount[] {
  const strictest = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = strictest.get(mount.path);
    if (other === undefined || STRICTNESS[mount.kind] > STRICTNESS[other.kind]) strictest.set(mount.path, mount);
  }
  const arranged: Mount[] = [];
  for (const mount of [...strictest.values()].sort((a, b) => depth(a.path) - depth(b.path) || order(a.path, b.path))) {
    if (changesSomething(mount, arranged)) arranged.push(mount);
  }
  return arranged;
}

function changesSomething(mount: Mount, outer: readonly Mount[]): boolean {
  const around = outer.findLast((candidate) => contains(candidate.path, mount.path));
  switch (mount.kind) {
    case 'scratch':
    case 'writable':
      return true;
    case 'read_only':
      return around !== undefined && around.kind !== 'read_only';
    case 'hidden_directory':
    case 'hidden_file':
      return around?.kind !== 'hidden_directory' && around?.kind !== 'scratch';
  }
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
