import { visibleLine } from '../base/index.ts';
import type { RefusalReason, WorkChange } from '../git/index.ts';
import type { SnapshotVerdict } from '../task/index.ts';

interface Refusal {
  readonly phase: string;
  readonly reason: string;
}

/** Why a change in scope may not be taken, whatever the contract says, by what Git or the scan found. */
const REFUSALS: Readonly<Record<RefusalReason, Refusal>> = {
  nested_repository: {
    phase: 'nested_repository',
    reason: 'A Git repository inside the worktree cannot be part of a commit; remove its .git folder',
  },
  submodule: { phase: 'submodule_change', reason: 'A submodule may not be changed by a task; restore it' },
  special_file: {
    phase: 'unsupported_file',
    reason: 'Only regular files and links can be committed; remove the pipe, socket or device',
  },
  unreadable: { phase: 'unsupported_file', reason: 'A changed file cannot be read; make it readable' },
  directory: { phase: 'unsupported_file', reason: 'A folder cannot be committed as such; put files into it' },
  invalid_name: { phase: 'unsupported_file', reason: 'Git does not store such a name; rename the file' },
  conflicts_with_base: {
    phase: 'unsupported_file',
    reason: 'A file stands where the base has a folder that stays, or the other way round; choose another name',
  },
  not_convertible: {
    phase: 'unsupported_file',
    reason: 'Git cannot convert the content as the attributes ask; correct the file or its encoding',
  },
  filtered: {
    phase: 'filtered_path',
    reason:
      'A Git filter applies, which Remit never runs, so what would be committed is not what was written; leave it',
  },
  too_large: {
    phase: 'file_too_large',
    reason: 'A changed file is larger than 10 MiB; make it smaller or leave it out',
  },
  changed_while_read: {
    phase: 'unstable_work',
    reason: 'A file changed while it was read; end what writes into the worktree',
  },
};

const LINK: Refusal = {
  phase: 'link_out_of_tree',
  reason:
    'A symbolic link may only lead to a place inside the repository that the contract does not forbid; change or remove it',
};

const SECRET: Refusal = {
  phase: 'secret_detected',
  reason: 'What looks like a credential may not be committed; remove it, or read it from the environment',
};

/** Kinds of entries that can never be taken: these are told before anything is hashed. */
const ENTRIES: Readonly<Partial<Record<WorkChange['entry'], RefusalReason>>> = {
  nested_repository: 'nested_repository',
  submodule: 'submodule',
  special: 'special_file',
  unreadable: 'unreadable',
};

export function refuseEntries(changes: readonly WorkChange[]): SnapshotVerdict | undefined {
  return refuseWritten(
    changes.flatMap(({ path, entry }) => {
      const reason = ENTRIES[entry];
      return reason === undefined ? [] : [{ path, reason }];
    }),
  );
}

/** The first kind of refusal, with every path of that kind. */
export function refuseWritten(
  refused: readonly { path: string; reason: RefusalReason }[],
): SnapshotVerdict | undefined {
  const [first] = refused;
  if (first === undefined) return undefined;
  const same = refused.filter(({ reason }) => REFUSALS[reason].phase === REFUSALS[first.reason].phase);
  return refuse(
    REFUSALS[first.reason],
    same.map(({ path }) => visibleLine(path)),
  );
}

/** Links that lead where none may lead, by name. */
export function refuseLinks(paths: readonly string[]): SnapshotVerdict | undefined {
  return paths.length === 0 ? undefined : refuse(LINK, paths.map(visibleLine));
}

export function refuseSecrets(
  findings: readonly { path: string; rule: string; line?: number }[],
): SnapshotVerdict | undefined {
  const places = findings.map(
    ({ path, line, rule }) => `${visibleLine(path)}${line === undefined ? '' : `:${line}`} (${rule})`,
  );
  return places.length === 0 ? undefined : refuse(SECRET, places);
}

function refuse({ phase, reason }: Refusal, paths: readonly string[]): SnapshotVerdict {
  return { kind: 'refused', phase, reason, paths };
}
