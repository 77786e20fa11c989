import { sha256 } from '../../base/index.ts';
import { compileScope, parseStoredContract } from '../../contract/index.ts';
import { fileDeleted, fileRewritten, type Observation, type WriteObservation } from '../../evidence/index.ts';
import { scanWorkspace, type WorkChange } from '../../git/index.ts';
import type { TaskRecord } from '../record.ts';
import { reachedBy } from '../scope-reach.ts';
import type { TaskTools } from '../tools.ts';
import { openTaskWorkspace } from '../worktree.ts';

/** The bytes of a file now, or what stands in their place. */
export type ReadBytes = (path: string) => Promise<Buffer | 'absent' | 'unreadable'>;

/**
 * In what the worktree differs from what the ledger says it is, in scope: what a command left, what was written behind the
 * host's back, or between an effect and its receipt. Nobody knows which lines, so all of them count as changed.
 */
export async function findUnrecorded(
  record: TaskRecord,
  tools: Pick<TaskTools, 'git' | 'places'>,
  ledger: readonly Observation[],
  read: ReadBytes,
): Promise<WriteObservation[]> {
  const known = lastWrites(ledger);
  const found: WriteObservation[] = [];
  const changes = await changesInScope(record, tools);
  for (const change of changes) {
    const unrecorded = await lookAt(change, known.get(change.path), read);
    if (unrecorded !== undefined) found.push(unrecorded);
  }
  const differing = new Set(changes.map(({ path }) => path));
  for (const [path, write] of known) {
    if (differing.has(path)) continue;
    const restored = await lookAtRestored(path, write, read);
    if (restored !== undefined) found.push(restored);
  }
  return found;
}

async function changesInScope(record: TaskRecord, tools: Pick<TaskTools, 'git' | 'places'>): Promise<WorkChange[]> {
  const contract = parseStoredContract(record.contract);
  const scope = compileScope(contract);
  const workspace = await openTaskWorkspace(record, tools);
  const changes = await scanWorkspace(tools.git, workspace, { expandIgnored: reachedBy(contract) });
  return changes.filter(({ path, ignored }) => !ignored && scope.classify(path).kind === 'in_scope');
}

function lastWrites(ledger: readonly Observation[]): Map<string, WriteObservation> {
  const writes = new Map<string, WriteObservation>();
  for (const observation of ledger) if (observation.kind === 'write') writes.set(observation.path, observation);
  return writes;
}

/** A path that differs from the base. */
async function lookAt(
  { path, change, entry }: WorkChange,
  known: WriteObservation | undefined,
  read: ReadBytes,
): Promise<WriteObservation | undefined> {
  if (change === 'deleted') return known?.change === 'deleted' ? undefined : fileDeleted(path, undefined);
  const kind = known === undefined && change === 'added' ? 'created' : 'modified';
  const bytes = entry === 'file' || entry === 'executable' ? await read(path) : 'unreadable';
  if (typeof bytes === 'string') {
    // What cannot be read has no digest, so that nobody can claim to have seen it.
    const isKnown = known !== undefined && known.change !== 'deleted' && known.sha256 === undefined;
    return isKnown ? undefined : fileRewritten(path, kind, undefined);
  }
  return known?.sha256 === sha256(bytes) ? undefined : fileRewritten(path, kind, bytes);
}

/** A path of the ledger that is as the base has it, or is no longer there, or is nothing that would be taken. */
async function lookAtRestored(
  path: string,
  known: WriteObservation,
  read: ReadBytes,
): Promise<WriteObservation | undefined> {
  const bytes = await read(path);
  if (bytes === 'absent') return known.change === 'deleted' ? undefined : fileDeleted(path, undefined);
  if (bytes === 'unreadable') return undefined;
  return known.sha256 === sha256(bytes) ? undefined : fileRewritten(path, 'modified', bytes);
}
