import { decodePath, visibleLine } from '../base/index.ts';
import { compileScope, parseStoredContract, type Scope } from '../contract/index.ts';
import {
  diffTree,
  type FileDiff,
  GitFailure,
  readContents,
  readTreeFiles,
  scanWorkspace,
  type TreeDiff,
  type WorkChange,
  type Workspace,
  writeTree,
} from '../git/index.ts';
import { openTaskWorkspace, reachedBy, type SnapshotVerdict, type TaskRecord, type TaskTools } from '../task/index.ts';
import { leadsOut, type ReadLink } from './links.ts';
import { refuseEntries, refuseLinks, refuseSecrets, refuseWritten } from './refusals.ts';
import { describeRisks } from './risks.ts';
import { type ScannedFile, type SecretScan, scanForSecrets } from './secret-scan.ts';

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

  const { links, secrets } = await readCandidate(workspace, diff, sorted, tools);
  const leading = await findLeadingLinks(links, scope, workspace, written.tree, tools);
  const forbidden = refuseLinks(leading) ?? refuseSecrets(secrets.findings);
  if (forbidden) return forbidden;
  return {
    kind: 'reviewable',
    taken: written.taken,
    review: {
      tree: written.tree,
      diff_sha256: diff.sha256,
      diff_bytes: diff.totalBytes,
      diff_stat: diff.stat,
      changed_files: diff.files.map((file) => visibleLine(file.path)),
      risks: await describeRisks({ sorted, diff, notScanned: secrets.notScanned, scope }),
    },
  };
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
  const shown = (changes: readonly WorkChange[]) => changes.map((change) => visibleLine(change.path));
  return { kind: 'no_change_in_scope', outOfScope: shown(sorted.outOfScope), ignored: shown(sorted.ignored) };
}

/** How much of a candidate is held in memory at once, in bytes. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Links and credentials are looked for in the tree, not on the disk, where a worker could still swap them. */
async function readCandidate(
  workspace: Workspace,
  diff: TreeDiff,
  sorted: SortedChanges,
  tools: SnapshotTools,
): Promise<{ links: { path: string; target: string }[]; secrets: SecretScan }> {
  const sizes = new Map(sorted.takeable.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const changed = new Map(diff.files.map((file) => [file.path, file]));
  const present = diff.files.filter(({ status }) => status !== 'deleted');
  const links: { path: string; target: string }[] = [];
  const scans: SecretScan[] = [];
  for (const batch of inBatches(present, ({ path }) => sizes.get(path) ?? 0)) {
    const contents = await readContents(
      tools.git,
      workspace,
      batch.map(({ newObject }) => newObject),
    );
    const files = batch.map(({ path }, at) => ({ path, content: contents[at] ?? Buffer.alloc(0) }));
    scans.push(await scanForSecrets(files, (path) => readBefore(workspace, changed.get(path), tools)));
    for (const [at, { path, newMode }] of batch.entries()) {
      if (newMode === LINK_MODE) links.push({ path, target: decodePath(contents[at] ?? Buffer.alloc(0)) });
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

const LINK_MODE = '120000';

/** The base's version of a changed file. One that is too large to be held counts as none: then every finding is new. */
async function readBefore(
  workspace: Workspace,
  file: FileDiff | undefined,
  tools: SnapshotTools,
): Promise<ScannedFile | undefined> {
  if (file === undefined || file.status === 'added') return undefined;
  const [content] = await readContents(tools.git, workspace, [file.oldObject]).catch((error) => {
    if (error instanceof GitFailure) return [];
    throw error;
  });
  return content && { path: file.oldPath ?? file.path, content };
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

function inBatches<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let bytes = BATCH_BYTES;
  for (const item of items) {
    if (bytes + sizeOf(item) > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(item);
    bytes += sizeOf(item);
  }
  return batches;
}
