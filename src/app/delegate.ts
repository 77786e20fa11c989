import { RemitError } from '../base/index.ts';
import { lintContract, type TaskContractV1 } from '../contract/index.ts';
import { resolveCommit } from '../git/index.ts';
import { denyVerificationCommand } from '../policy/index.ts';
import { refuseSecrets } from '../review/index.ts';
import type { TaskRecord } from '../task/index.ts';
import { requireGrant } from './access.ts';
import type { CallContext } from './operations.ts';
import { type ChosenRepository, chooseRepository } from './repository-choice.ts';
import type { HostRooms } from './rooms.ts';
import { answerDelegate } from './task-answer.ts';
import { requireTaskId } from './task-id.ts';
import { waitForTask } from './waiting.ts';
import { contractRefusal, type DelegateInput, type DelegateOutput } from './wire-schemas.ts';

const DEFAULT_DEADLINE_SECONDS = { fast: 600, deep: 3_600 } as const;

interface ReadContract {
  readonly contract: TaskContractV1;
  readonly canonical: string;
  readonly hash: string;
}

/** Creates a task, or attaches to the one of that id when contract, repository and explicit settings agree. */
export async function delegate(rooms: HostRooms, input: DelegateInput, context: CallContext): Promise<DelegateOutput> {
  requireTaskId(input.task_id);
  const grant = await requireGrant(rooms, context, 'write');
  const chosen = await chooseRepository(rooms.git, grant.directories, input.repository);
  const readings = readContract(input, chosen.prefix);
  // What failed before it began left nothing but its record: the same id may be tried again.
  const isThere = rooms.journal.find(input.task_id) !== undefined && !rooms.tasks.forget(input.task_id);
  if (isThere) return attach(rooms, input, context, chosen, readings);
  try {
    return await create(rooms, input, context, { chosen, reading: readings[0], network: grant.network });
  } catch (error) {
    // Somebody delegated the same task at the same moment: then it is there now, and this call attaches to it.
    const isTaken = error instanceof RemitError && error.code === 'task_conflict';
    if (!isTaken || rooms.journal.find(input.task_id) === undefined) throw error;
    return attach(rooms, input, context, chosen, readings);
  }
}

async function attach(
  rooms: HostRooms,
  input: DelegateInput,
  context: CallContext,
  chosen: ChosenRepository,
  readings: readonly ReadContract[],
): Promise<DelegateOutput> {
  await rooms.recover(input.task_id);
  const existing = rooms.journal.read(input.task_id);
  await requireSameTask(rooms, existing, input, chosen, readings);
  await resumeIfPaused(rooms, existing, input);
  return holdAndAnswer(rooms, input, context);
}

async function create(
  rooms: HostRooms,
  input: DelegateInput,
  context: CallContext,
  found: { chosen: ChosenRepository; reading: ReadContract; network: boolean },
): Promise<DelegateOutput> {
  const { chosen, reading } = found;
  const lane = input.worker_lane ?? 'fast';
  refuseStateInside(rooms, chosen);
  await refuseSecrets([{ what: 'The contract', text: reading.canonical }]);
  const { started } = await rooms.tasks.create({
    taskId: input.task_id,
    contract: reading.contract,
    canonical: reading.canonical,
    contractHash: reading.hash,
    repository: chosen.repository,
    repositoryName: chosen.name,
    baseRef: input.base_ref ?? 'HEAD',
    lane,
    effort: input.reasoning_effort ?? rooms.configuration.reasoningEffort,
    executionTimeoutSeconds: input.execution_timeout_seconds ?? DEFAULT_DEADLINE_SECONDS[lane],
    network: found.network && rooms.configuration.network,
    worker: rooms.workerNamed(undefined),
  });
  const answer = await holdAndAnswer(rooms, input, context);
  if (answer.state !== 'failed') return answer;
  const refusal = await started;
  if (refusal === undefined) return answer;
  rooms.tasks.forget(input.task_id);
  throw refusal;
}

/** Worktrees inside the caller's checkout would be new files in it. */
function refuseStateInside(rooms: HostRooms, { repository }: ChosenRepository): void {
  const { stateDirectory } = rooms.places;
  if (!stateDirectory.startsWith(`${repository.root}/`)) return;
  throw new RemitError(
    'invalid_request',
    `Remit's state directory ${stateDirectory} lies inside this repository, whose checkout is never written: choose another with the setting stateDir (REMIT_STATE_DIR).`,
  );
}

async function holdAndAnswer(rooms: HostRooms, input: DelegateInput, context: CallContext): Promise<DelegateOutput> {
  if (input.wait_mode === 'background') return answerDelegate(rooms, rooms.journal.read(input.task_id), false);
  const { record, timedOut } = await waitForTask(rooms, input.task_id, input.wait_timeout_seconds, context);
  return answerDelegate(rooms, record, timedOut);
}

/** Each way in which the contract's paths may be read: the one asked for, or both when none was. */
function readContract(input: DelegateInput, prefix: string): [ReadContract, ...ReadContract[]] {
  const bases =
    input.path_base === 'repository' ? [''] : input.path_base === 'cwd' ? [prefix] : [...new Set([prefix, ''])];
  const results = bases.map((base) =>
    lintContract(input.contract, { prefix: base, denyCommand: denyVerificationCommand }),
  );
  const [first, ...others] = results;
  if (first?.ok) return [first, ...others.filter((result) => result.ok)];
  throw contractRefusal(first?.problems ?? []);
}

async function requireSameTask(
  rooms: HostRooms,
  existing: TaskRecord,
  input: DelegateInput,
  chosen: ChosenRepository,
  readings: readonly ReadContract[],
): Promise<void> {
  const differences: string[] = [];
  if (existing.repository.id !== chosen.repository.id) differences.push('repository');
  if (!readings.some(({ hash }) => hash === existing.contract_hash)) differences.push('contract');
  if (input.worker_lane !== undefined && input.worker_lane !== existing.worker_lane) differences.push('worker_lane');
  if (input.reasoning_effort !== undefined && input.reasoning_effort !== existing.requested_reasoning_effort)
    differences.push('reasoning_effort');
  if (
    input.execution_timeout_seconds !== undefined &&
    input.execution_timeout_seconds !== existing.execution_timeout_seconds
  ) {
    differences.push('execution_timeout_seconds');
  }
  if (input.base_ref !== undefined && input.base_ref !== existing.base_ref) {
    const base = await resolveCommit(rooms.git, chosen.repository, input.base_ref);
    if (base !== existing.base_commit) differences.push('base_ref');
  }
  if (differences.length === 0) return;
  throw new RemitError(
    'task_conflict',
    `Task ${existing.task_id} exists with another ${differences.join(', ')}: use a new task_id, or repeat the first delegation.`,
    {
      details: { differences, contract_hash: existing.contract_hash },
    },
  );
}

async function resumeIfPaused(rooms: HostRooms, existing: TaskRecord, input: DelegateInput): Promise<void> {
  const { status } = existing;
  if (status.state !== 'paused' || input.resume === false) return;
  // Only whoever may resume makes another process let go.
  const isCurrent = input.pause_revision === existing.pause_revision && input.pause_reason_hash === status.reason_hash;
  if (isCurrent) await rooms.owners.release(existing.task_id);
  const tokens = { pauseRevision: input.pause_revision, pauseReasonHash: input.pause_reason_hash };
  await rooms.tasks.resume(existing.task_id, tokens, input.resume_message);
}
