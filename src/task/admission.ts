import { RemitError } from '../base/index.ts';
import { compileScope, parseStoredContract, scopesOverlap, type TaskContractV1 } from '../contract/index.ts';
import {
  listFilteredPaths,
  type Repository,
  type RepositoryFacts,
  readFacts,
  readIdentity,
  resolveCommit,
  wantsSignature,
} from '../git/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { describeCollision, listPaths } from './landing.ts';
import type { TaskRecord } from './record.ts';
import { lookAtSource } from './source-collision.ts';
import type { TaskTools, WorkerProgram } from './tools.ts';
import { makeWorktree } from './worktree.ts';

/** A delegation whose contract is valid and whose repository the caller may use. */
export interface Delegation {
  readonly taskId: string;
  readonly contract: TaskContractV1;
  readonly canonical: string;
  readonly contractHash: string;
  readonly repository: Repository;
  readonly repositoryName: string;
  readonly baseRef: string;
  readonly lane: 'fast' | 'deep';
  readonly effort: 'low' | 'medium' | 'high' | 'max';
  readonly executionTimeoutSeconds: number;
  readonly network: boolean;
  readonly worker: WorkerProgram;
}

/** Everything that must hold before a task exists, then its record, branch and worktree; a refusal leaves nothing. */
export async function admitTask(delegation: Delegation, tools: TaskTools): Promise<TaskRecord> {
  const base = await resolveBase(delegation, tools);
  const facts = await readFacts(tools.git, delegation.repository, base);
  const [, filtered, , sandbox] = await Promise.all([
    requireIdentity(delegation, facts, tools),
    refuseFilteredScope(delegation, base, facts, tools),
    refuseDirtyScope(delegation, base, facts, tools),
    tools.sandbox(),
  ]);
  const risks = [...filtered, ...unsignedRisk(facts), ...confinementRisks(delegation.worker, sandbox)];
  const record = newRecord(delegation, base, risks, tools);
  tools.journal.create(record, (living) => refuseOverlap(record, delegation.contract, living));
  try {
    await makeWorktree(record, tools, facts);
  } catch (error) {
    tools.journal.remove(record.task_id);
    throw error;
  }
  return record;
}

async function resolveBase({ repository, baseRef }: Delegation, tools: TaskTools): Promise<string> {
  // Found with the repository, a moment ago and by the same call.
  if (baseRef === 'HEAD') return repository.head;
  const base = await resolveCommit(tools.git, repository, baseRef);
  if (base === undefined) {
    throw new RemitError(
      'invalid_request',
      `base_ref ${JSON.stringify(baseRef)} names no commit in this repository: give a branch, tag or commit id.`,
    );
  }
  return base;
}

async function requireIdentity(
  { repository }: Delegation,
  { configuration }: RepositoryFacts,
  tools: TaskTools,
): Promise<void> {
  const identity = await readIdentity(tools.git, repository, configuration);
  if (identity.kind === 'missing') {
    throw new RemitError(
      'invalid_request',
      `Git has no author identity for the commit: ${identity.reason} Set user.name and user.email with git config, then delegate again.`,
    );
  }
}

/** Content under a filter cannot be represented truly, since no filter runs: in scope it is refused, elsewhere it is a risk. */
async function refuseFilteredScope(
  { repository, contract }: Delegation,
  base: string,
  facts: RepositoryFacts,
  tools: TaskTools,
): Promise<string[]> {
  const filtered = await listFilteredPaths(tools.git, repository, base, facts);
  const scope = compileScope(contract);
  const inScope = filtered.filter(({ path }) => scope.classify(path).kind === 'in_scope');
  if (inScope.length > 0) {
    const names = listPaths(inScope.map(({ path, filter }) => `${path} (filter=${filter})`));
    throw new RemitError(
      'unsupported_platform',
      `The write scope covers paths under a Git filter, which Remit never runs: ${names}. Narrow write_scope, or put them into forbidden_scope.`,
    );
  }
  if (filtered.length === 0) return [];
  return [`Checked out as stored, since no filter runs: ${listPaths(filtered.map(({ path }) => path))}`];
}

function unsignedRisk({ configuration }: RepositoryFacts): string[] {
  if (!wantsSignature(configuration)) return [];
  return [
    'commit.gpgSign is set, but the commit will be unsigned: sign it when you integrate it (git cherry-pick -S).',
  ];
}

/** What the operator loosened is named in every review. */
function confinementRisks(worker: WorkerProgram, sandbox: Sandbox): string[] {
  const writable = `The operator lets this worker write outside its contract: ${listPaths(worker.writable)}`;
  return [
    ...(worker.writable.length > 0 ? [writable] : []),
    ...(sandbox.engine.kind === 'unconfined' ? [`NOT CONFINED: ${sandbox.engine.warning}`] : []),
  ];
}

async function refuseDirtyScope(
  { repository, contract }: Delegation,
  base: string,
  facts: RepositoryFacts,
  tools: TaskTools,
): Promise<void> {
  const { collision } = await lookAtSource(tools.git, repository, {
    base,
    scope: compileScope(contract),
    checkpoint: 'delegate',
    now: tools.journal.now(),
    settings: facts.configuration,
  });
  if (!collision) return;
  throw new RemitError('dirty_repository', describeCollision(collision), { details: { source_collision: collision } });
}

function refuseOverlap(record: TaskRecord, contract: TaskContractV1, living: readonly TaskRecord[]): void {
  for (const other of living) {
    if (other.repository.id !== record.repository.id) continue;
    const overlap = scopesOverlap(contract, parseStoredContract(other.contract));
    if (!overlap) continue;
    throw new RemitError(
      'lease_conflict',
      `write_scope ${JSON.stringify(overlap.pattern)} overlaps ${JSON.stringify(overlap.otherPattern)} of the living task ${other.task_id} ` +
        `(${other.status.state}): finish or close that task, or narrow the scope.`,
      { details: { task_id: other.task_id, pattern: overlap.pattern, other_pattern: overlap.otherPattern } },
    );
  }
}

function newRecord(delegation: Delegation, base: string, risks: string[], tools: TaskTools): TaskRecord {
  const { repository, taskId, worker } = delegation;
  const now = tools.journal.now();
  return {
    task_id: taskId,
    contract: delegation.canonical,
    contract_hash: delegation.contractHash,
    repository: {
      id: repository.id,
      name: delegation.repositoryName,
      root: repository.root,
      git_dir: repository.gitDir,
      common_dir: repository.commonDir,
      object_format: repository.objectFormat,
    },
    base_ref: delegation.baseRef,
    base_commit: base,
    branch: `remit/${taskId}`,
    worktree: tools.places.worktree(taskId),
    worker: worker.name,
    adapter: worker.adapter,
    worker_lane: delegation.lane,
    requested_reasoning_effort: delegation.effort,
    execution_timeout_seconds: delegation.executionTimeoutSeconds,
    network: delegation.network,
    created_at: now,
    updated_at: now,
    repair_rounds: 0,
    review_revision: 0,
    pause_revision: 0,
    prompts_begun: 0,
    standing_risks: risks,
    status: { state: 'provisioning', phase: 'worktree' },
  };
}
