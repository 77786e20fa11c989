/** Where a relative name starts and what an absolute one may lie under. */
export interface Standpoint {
  /** The folder that relative names start from, relative to the repository; '' or '.' for its root. */
  readonly cwd?: string | undefined;
  /** Absolute path of the worktree. Absent: an absolute name is none of the repository's. */
  readonly worktree?: string | undefined;
}

/**
 * The repository's name for a path that a worker wrote: `./p` and an absolute path in the worktree are `p`, '' is the
 * root itself. Undefined for what lies elsewhere, and for `..`, which only the disk can follow truly past a link.
 * Letters are left as they are: another letter case is another name.
 */
export function repositoryPath(written: string, { cwd = '', worktree }: Standpoint = {}): string | undefined {
  if (written === '' || written.includes('\0')) return undefined;
  const segments = segmentsOf(written);
  if (segments.includes('..')) return undefined;
  if (!written.startsWith('/')) return [...segmentsOf(cwd), ...segments].join('/');
  const root = segmentsOf(worktree ?? '');
  const isInside = root.length > 0 && root.every((segment, at) => segments[at] === segment);
  return isInside ? segments.slice(root.length).join('/') : undefined;
}

/** Whether a folder, relative to the repository, is its root. */
export function isRoot(cwd: string): boolean {
  return repositoryPath(cwd || '.') === '';
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
