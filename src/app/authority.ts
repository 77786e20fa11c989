import { visibleLine } from '../base/index.ts';
import { CODEX_SANDBOX_KEY, readCodexAccess } from './codex-profile.ts';
import { pathOfFileUri } from './file-uri.ts';

/** What is known about a caller from outside of the model. */
export interface AuthorityFacts {
  /** `_meta` of the call. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** URIs that the client answered to `roots/list`; undefined when it has no roots at all. */
  readonly roots?: readonly string[] | undefined;
  /** Absolute directories that the operator gave. */
  readonly launchRoots: readonly string[];
}

/** Where a caller may act. The repositories are those that these directories lie in, or that lie in them by name. */
export interface Grant {
  readonly kind: 'granted';
  /** Absolute, at least one. */
  readonly directories: readonly string[];
  /** False: reading only; delegate and control answer `read_only_sandbox`. */
  readonly writable: boolean;
  /** Whether the client lets a worker reach the network; the operator's switch is asked besides. */
  readonly network: boolean;
  readonly source: 'codex' | 'roots' | 'launch';
}

export interface AuthorityRefusal {
  readonly kind: 'refused';
  readonly code: 'missing_sandbox_metadata' | 'read_only_sandbox' | 'invalid_request';
  readonly reason: string;
}

export type Authority = Grant | AuthorityRefusal;

/**
 * Who may act where, never from what the model wrote. The first that is stated decides: Codex's sandbox state, the
 * client's roots, the operator's roots. One that is stated but wrong is refused; a weaker one never stands in for it.
 */
export function resolveAuthority({ meta, roots, launchRoots }: AuthorityFacts): Authority {
  if (meta !== undefined && Object.hasOwn(meta, CODEX_SANDBOX_KEY)) return fromCodex(meta[CODEX_SANDBOX_KEY]);
  if (roots !== undefined && roots.length > 0) return fromRoots(roots);
  if (launchRoots.length > 0) return granted('launch', launchRoots);
  return refused(
    'missing_sandbox_metadata',
    'The client says neither its sandbox nor its roots: use a client that does, or start the server with `remit serve --root DIRECTORY`.',
  );
}

function fromCodex(state: unknown): Authority {
  const access = readCodexAccess(state);
  switch (access.kind) {
    case 'malformed':
      return refused(
        'missing_sandbox_metadata',
        `The sandbox state that Codex sent cannot be used: ${visibleLine(access.problem)}. Update Codex or Remit.`,
      );
    case 'no_access':
      return refused(
        'read_only_sandbox',
        `The client's sandbox gives no access to its working directory ${visibleLine(access.directory)}: start it with write access there.`,
      );
    case 'access':
      return {
        kind: 'granted',
        directories: [access.directory],
        writable: access.writable,
        network: access.network,
        source: 'codex',
      };
  }
}

function fromRoots(roots: readonly string[]): Authority {
  const directories: string[] = [];
  for (const uri of roots) {
    const directory = pathOfFileUri(uri);
    if (directory === undefined) {
      return refused(
        'invalid_request',
        `The client's root ${visibleLine(uri.slice(0, 300))} is no file URI of a local directory, such as file:///home/me/repository.`,
      );
    }
    directories.push(directory);
  }
  return granted('roots', directories);
}

function granted(source: 'roots' | 'launch', directories: readonly string[]): Grant {
  return { kind: 'granted', directories: [...new Set(directories)], writable: true, network: true, source };
}

function refused(code: AuthorityRefusal['code'], reason: string): AuthorityRefusal {
  return { kind: 'refused', code, reason };
}
