import { encodePath, sha256 } from '../../base/index.ts';
import { compileScope, parseStoredContract } from '../../contract/index.ts';
import {
  type Change,
  changesOf,
  fileDeleted,
  fileRewritten,
  isKnown,
  type Observation,
  type Standing,
  type WriteObservation,
} from '../../evidence/index.ts';
import { readContents, scanWorkspace, type TakenChange, type WorkChange } from '../../git/index.ts';
import type { TaskRecord } from '../record.ts';
import { reachedBy } from '../scope-reach.ts';
import type { TaskTools } from '../tools.ts';
import { openTaskWorkspace } from '../worktree.ts';

/** Files of the worktree as they are now. */
export interface FileLooks {
  read(path: string): Promise<Buffer | 'absent' | 'unreadable'>;
  /** SHA-256 of the bytes, or what stands in their place; known without reading where nothing was touched since the last look. */
  digest(path: string): Promise<string>;
}

type Tools = Pick<TaskTools, 'git' | 'places'>;

/**
 * In what the worktree differs from what the ledger says it is, in scope: what a command left, what was written behind the
 * host's back, or between an effect and its receipt. Nobody knows which lines, so all of them count as changed.
 */
export async function findUnrecorded(
  record: TaskRecord,
  tools: Tools,
  ledger: readonly Observation[],
  files: FileLooks,
): Promise<WriteObservation[]> {
  const known = changesByPath(ledger);
  const found: WriteObservation[] = [];
  const changes = await changesInScope(record, tools);
  for (const change of changes) {
    if (isKnown(known.get(change.path), await standingNow(change, files))) continue;
    found.push(unrecorded(change, await seenNow(change, files)));
  }
  const differing = new Set(changes.map(({ path }) => path));
  for (const [path, change] of known) {
    if (differing.has(path)) continue;
    const restored = await lookAtRestored(path, change, files);
    if (restored !== undefined) found.push(restored);
  }
  return found;
}

/**
 * In what a tree that was made of the worktree differs from what the ledger says: it alone is what will be reviewed and
 * committed, whatever the worktree has held before and after.
 */
export async function findUnrecordedIn(
  taken: readonly TakenChange[],
  record: TaskRecord,
  tools: Tools,
  ledger: readonly Observation[],
): Promise<WriteObservation[]> {
  const known = changesByPath(ledger);
  const unknown = taken.filter((change) => !isKnown(known.get(change.path), standingOf(change)));
  if (unknown.length === 0) return [];
  const workspace = await openTaskWorkspace(record, tools);
  const found: WriteObservation[] = [];
  for (const { path, change, entry, object, sha256: digest } of unknown) {
    const isDeleted = change === 'deleted';
    const [bytes] = isDeleted ? [] : await readContents(tools.git, workspace, [object]);
    const now: Seen = isDeleted ? { kind: 'deleted' } : seen(bytes ?? 'unreadable', entryOf(entry));
    // Git may have stored other bytes than the file's own, which are the ones that a later look finds.
    found.push({ ...unrecorded({ path, change }, now), ...(digest && { sha256: digest }) });
  }
  return found;
}

function changesByPath(ledger: readonly Observation[]): Map<string, Change> {
  return new Map(changesOf(ledger).paths.map((change) => [change.path, change]));
}

async function changesInScope(record: TaskRecord, tools: Tools): Promise<WorkChange[]> {
  const contract = parseStoredContract(record.contract);
  const scope = compileScope(contract);
  const workspace = await openTaskWorkspace(record, tools);
  const changes = await scanWorkspace(tools.git, workspace, { expandIgnored: reachedBy(contract) });
  return changes.filter(({ path, ignored }) => !ignored && scope.classify(path).kind === 'in_scope');
}

/** A standing with the bytes behind its digest. */
type Seen = Standing & { readonly bytes?: Buffer };

function seen(bytes: Buffer | 'absent' | 'unreadable', entry: WriteObservation['entry']): Seen {
  if (typeof bytes === 'string') return { kind: 'unreadable' };
  return { kind: 'present', sha256: sha256(bytes), bytes, ...(entry !== undefined && { entry }) };
}

function standingOf({ change, sha256: digest, entry: kind }: TakenChange): Standing {
  if (change === 'deleted') return { kind: 'deleted' };
  const entry = entryOf(kind);
  return digest === undefined
    ? { kind: 'unreadable' }
    : { kind: 'present', sha256: digest, ...(entry !== undefined && { entry }) };
}

function entryOf(entry: WorkChange['entry']): WriteObservation['entry'] {
  return entry === 'symlink' ? 'link' : entry === 'executable' ? 'executable' : undefined;
}

async function standingNow(change: WorkChange, files: FileLooks): Promise<Standing> {
  if (change.change === 'deleted' || !isFile(change)) return seenNow(change, files);
  const digest = await files.digest(change.path);
  const entry = entryOf(change.entry);
  if (digest === 'absent' || digest === 'unreadable') return { kind: 'unreadable' };
  return { kind: 'present', sha256: digest, ...(entry !== undefined && { entry }) };
}

async function seenNow(change: WorkChange, files: FileLooks): Promise<Seen> {
  const { path, entry, linkTarget } = change;
  if (change.change === 'deleted') return { kind: 'deleted' };
  if (entry === 'symlink') return seen(linkTarget === undefined ? 'unreadable' : encodePath(linkTarget), 'link');
  return seen(isFile(change) ? await files.read(path) : 'unreadable', entryOf(entry));
}

function isFile({ entry }: WorkChange): boolean {
  return entry === 'file' || entry === 'executable';
}

/** Something else than a recorded effect left this. */
function unrecorded({ path, change }: Pick<WorkChange, 'path' | 'change'>, now: Seen): WriteObservation {
  const isNew = change === 'added';
  const base = isNew ? {} : { in_base: true as const };
  if (now.kind === 'deleted') return { ...fileDeleted(path, undefined), ...base };
  const entry = now.kind === 'present' ? now.entry : undefined;
  return { ...fileRewritten(path, isNew ? 'created' : 'modified', now.bytes, entry), ...base };
}

/** A path of the ledger that is as the base has it, or is no longer there, or is nothing that would be taken. */
async function lookAtRestored(path: string, known: Change, files: FileLooks): Promise<WriteObservation | undefined> {
  const digest = await files.digest(path);
  if (digest === 'absent') return known.change === 'deleted' ? undefined : fileDeleted(path, undefined);
  if (digest === 'unreadable' || digest === known.sha256) return undefined;
  const bytes = await files.read(path);
  return typeof bytes === 'string' ? undefined : fileRewritten(path, 'modified', bytes);
}
