import { visibleLine } from '../base/index.ts';
import {
  compileScope,
  parseStoredContract,
  type Scope,
  scopesOverlap,
  type TaskContractV1,
} from '../contract/index.ts';
import { diffTree, readTreeFile, scanWorkspace, type TreeDiff, type WorkChange, writeTree } from '../git/index.ts';
import { openTaskWorkspace, type SnapshotVerdict, type TaskRecord, type TaskTools } from '../task/index.ts';
import { findRefusal } from './refusals.ts';
import { describeRisks } from './risks.ts';
import { scanForSecrets } from './secret-scan.ts';

/** What the worktree holds, sorted by what the contract says of it. */
export interface SortedChanges {
  readonly takeable: readonly WorkChange[];
  readonly outOfScope: readonly WorkChange[];
  /** In scope, but ignored by the base's own rules: never committed. */
  readonly ignored: readonly WorkChange[];
}

/**
 * The candidate tree of a task whose worker is idle: the base plus the changes in scope, hashed afresh from the files.
 * Nothing else can be in it; what was left out is named in the risks, and what may not be taken refuses the whole.
 */
export async function takeSnapshot(
  record: TaskRecord,
  tools: Pick<TaskTools, 'git' | 'places'>,
): Promise<SnapshotVerdict> {
  const contract = parseStoredContract(record.contract);
  const scope = compileScope(contract);
  const workspace = await openTaskWorkspace(record, tools);
  const sorted = sortChanges(await scanWorkspace(tools.git, workspace, { expandIgnored: reachedBy(contract) }), scope);
  const refused = findRefusal(sorted.takeable, scope);
  if (refused) return refused;
  if (sorted.takeable.length === 0) return noChange(sorted);

  const written = await writeTree(tools.git, workspace, sorted.takeable);
  if (written.refused.length > 0) return refuseWritten(written.refused);
  const diff = await diffTree(tools.git, workspace, written.tree);
  if (diff.files.length === 0) return noChange(sorted);
  const secrets = await findSecrets(diff, (path) => readTreeFile(tools.git, workspace, written.tree, path));
  if (secrets.refusal) return secrets.refusal;
  return {
    kind: 'reviewable',
    review: {
      tree: written.tree,
      diff_sha256: diff.sha256,
      diff_bytes: diff.diff.length,
      diff_stat: diff.stat,
      changed_files: diff.files.map((file) => visibleLine(file.path)),
      risks: describeRisks({ sorted, diff, notScanned: secrets.notScanned, scope }),
    },
  };
}

/** An ignored folder is looked into only where the scope reaches: elsewhere it may hold a million installed files. */
function reachedBy(contract: TaskContractV1): (directory: string) => boolean {
  return (directory) =>
    scopesOverlap(contract, { write_scope: [`${directory}/**`], forbidden_scope: [] }) !== undefined;
}

function sortChanges(changes: readonly WorkChange[], scope: Scope): SortedChanges {
  const inScope = (change: WorkChange) => scope.classify(change.path).kind === 'in_scope';
  return {
    takeable: changes.filter((change) => inScope(change) && !change.ignored),
    outOfScope: changes.filter((change) => !inScope(change) && !change.ignored),
    ignored: changes.filter((change) => inScope(change) && change.ignored),
  };
}

function noChange(sorted: SortedChanges): SnapshotVerdict {
  return { kind: 'no_change_in_scope', outOfScope: sorted.outOfScope.map((change) => visibleLine(change.path)) };
}

const WRITE_REFUSALS: Readonly<Record<string, { phase: string; reason: string }>> = {
  filtered: {
    phase: 'filtered_path',
    reason: 'A Git filter applies, which Remit never runs, so what would be committed is not what was written',
  },
  too_large: { phase: 'file_too_large', reason: 'A changed file is larger than 10 MiB' },
};

function refuseWritten(refused: readonly { path: string; reason: string }[]): SnapshotVerdict {
  const kind = WRITE_REFUSALS[refused[0]?.reason ?? ''] ?? {
    phase: 'unstable_work',
    reason: 'A file changed while it was read; wait until nothing writes into the worktree and resume',
  };
  return { kind: 'refused', ...kind, paths: refused.map(({ path }) => visibleLine(path)) };
}

async function findSecrets(
  diff: TreeDiff,
  read: (path: string) => Promise<Buffer | undefined>,
): Promise<{ refusal?: SnapshotVerdict; notScanned: readonly { path: string; reason: string }[] }> {
  const files: { path: string; content: Buffer }[] = [];
  for (const file of diff.files) {
    if (file.status === 'deleted') continue;
    const content = await read(file.path);
    if (content) files.push({ path: file.path, content });
  }
  const { findings, notScanned } = await scanForSecrets(files);
  if (findings.length === 0) return { notScanned };
  return {
    notScanned,
    refusal: {
      kind: 'refused',
      phase: 'secret_detected',
      reason: 'What looks like a credential may not be committed; remove it, or read it from the environment',
      paths: findings.map(
        (finding) =>
          `${visibleLine(finding.path)}${finding.line === undefined ? '' : `:${finding.line}`} (${finding.rule})`,
      ),
    },
  };
}
