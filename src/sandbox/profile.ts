/**
 * What a program in the box may see and do. Every path is absolute and real: no component may be a symbolic link, since a
 * link that an earlier program planted would widen the box. Where paths nest, the more specific one wins; where the same
 * path is named twice, the stricter. All else on the host's disk can be read, nothing of it written; what lies below
 * /tmp, /var/tmp, /run and /dev/shm is invisible unless listed, and credential stores of all users are always hidden.
 */
export interface SandboxProfile {
  /** Where the program starts; it may be any visible folder. */
  readonly cwd: string;
  /** Files and folders that can be written. A file can be written in place but not replaced: list its folder instead. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Shown as an empty folder or an empty file, both read-only. One that does not exist is skipped. */
  readonly hidden: readonly string[];
  /** private: a folder in memory that is gone afterwards. directory: writable, and HOME is its path. */
  readonly home: { readonly kind: 'private' } | { readonly kind: 'directory'; readonly path: string };
  /** The whole environment; HOME is set from `home`, TMPDIR and XDG_* base folders unless given. */
  readonly environment: Readonly<Record<string, string>>;
  /** none: a loopback of its own. host: the host's network, loopback and abstract sockets included. */
  readonly network: 'none' | 'host';
  /**
   * refused: no Unix socket can be made (pairs can), which also closes every socket file of the host. allowed: for
   * project tests that use them; socket files that the host has open when the program starts are hidden.
   * Default: allowed with network none, else refused.
   */
  readonly unixSockets?: 'allowed' | 'refused';
}
