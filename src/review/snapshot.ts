import { decodePath, visibleLine } from '../base/index.ts';
import {
  compileScope,
  parseStoredContract,
  type Scope,
  scopesOverlap,
  type TaskContractV1,
} from '../contract/index.ts';
import {
  diffTree,
  readTreeFiles,
  scanWorkspace,
  type TreeDiff,
  type WorkChange,
  type Workspace,
  writeTree,
} from '../git/index.ts';
import { openTaskWorkspace, type SnapshotVerdict, type TaskRecord, type TaskTools } from '../task/index.ts';
import { leadsOut, type ReadLink } from './links.ts';
import { refuseEntries, refuseLinks, refuseSecrets, refuseWritten } from './refusals.ts';
import { describeRisks } from './risks.ts';
import { type SecretScan, scanForSecrets } from './secret-scan.ts';

/** What the worktree holds, sorted by what the contract says of it. */
export interface SortedChanges {
  readonly takeable: readonly WorkChange[];
  readonly outOfScope: readonly WorkChange[];
  /** In scope, but ignored by the base's own rules: never committed. */
  readonly ignored: readonly WorkChange[];
}

type SnapshotTools = Pick<TaskTools, 'git' | 'places'>;

/**
 * The candidate tree of a task whose worker is idle: the base plus the changes in scope, hashed afresh from the files.
 * Nothing else can be in it; what was left out is named in the risks, and what may not be taken refuses the whole.
 */
export async function takeSnapshot(record: TaskRecord, tools: SnapshotTools): Promise<SnapshotVerdict> {
  const contract = parseStoredContract(record.contract);
  const scope = compileScope(contract);
  const workspace = await openTaskWorkspace(record, tools);
  const changes = await scanWorkspace(tools.git, workspace, { expandIgnored: reachedBy(contract) });
  const sorted = sortChanges(changes, scope);
  if (sorted.takeable.length === 0) return noChange(sorted);
  const untakeable = refuseEntries(sorted.takeable);
  if (untakeable) return untakeable;

  const written = await writeTree(tools.git, workspace, sorted.takeable);
  const refused = refuseWritten(written.refused);
  if (refused) return refused;
  const diff = await diffTree(tools.git, workspace, written.tree);
  if (diff.files.length === 0) return noChange(sorted);

  const { links, secrets } = await readCandidate(workspace, written.tree, diff, sorted, tools);
  const leading = await findLeadingLinks(links, scope, workspace, written.tree, tools);
  const forbidden = refuseLinks(leading) ?? refuseSecrets(secrets.findings);
  if (forbidden) return forbidden;
  return {
    kind: 'reviewable',
    review: {
      tree: written.tree,
      diff_sha256: diff.sha256,
      diff_bytes: diff.totalBytes,
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

/** How much of a candidate is held in memory at once, in bytes. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Links and credentials are looked for in the tree, not on the disk, where a worker could still swap them. */
async function readCandidate(
  workspace: Workspace,
  tree: string,
  diff: TreeDiff,
  sorted: SortedChanges,
  tools: SnapshotTools,
): Promise<{ links: { path: string; target: string }[]; secrets: SecretScan }> {
  const sizes = new Map(sorted.takeable.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const paths = diff.files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const links: { path: string; target: string }[] = [];
  const scans: SecretScan[] = [];
  for (const batch of inBatches(paths, (path) => sizes.get(path) ?? 0)) {
    const files = await readTreeFiles(tools.git, workspace, tree, batch);
    const contents = batch.map((path, at) => ({ path, content: files[at]?.bytes ?? Buffer.alloc(0) }));
    scans.push(await scanForSecrets(contents));
    for (const [at, path] of batch.entries()) {
      const file = files[at];
      if (file?.entry === 'symlink') links.push({ path, target: decodePath(file.bytes) });
    }
  }
  return {
    links,
    secrets: {
      findings: scans.flatMap(({ findings }) => findings),
      notScanned: scans.flatMap(({ notScanned }) => notScanned),
    },
  };
}

async function findLeadingLinks(
  links: readonly { path: string; target: string }[],
  scope: Scope,
  workspace: Workspace,
  tree: string,
  tools: SnapshotTools,
): Promise<string[]> {
  const known = new Map<string, string | undefined>(links.map(({ path, target }) => [path, target]));
  const readLink: ReadLink = async (path) => {
    if (!known.has(path)) {
      const [file] = await readTreeFiles(tools.git, workspace, tree, [path]);
      known.set(path, file?.entry === 'symlink' ? decodePath(file.bytes) : undefined);
    }
    return known.get(path);
  };
  const leading: string[] = [];
  for (const { path, target } of links) {
    if (await leadsOut(path, target, scope, readLink)) leading.push(path);
  }
  return leading;
}

function inBatches(paths: readonly string[], sizeOf: (path: string) => number): string[][] {
  const batches: string[][] = [];
  let bytes = BATCH_BYTES;
  for (const path of paths) {
    if (bytes + sizeOf(path) > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(path);
    bytes += sizeOf(path);
  }
  return batches;
}
