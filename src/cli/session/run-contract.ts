import { resolve } from 'node:path';
import type { DelegateInput, Desk, SettingFlags, TaskDetail } from '../../app/index.ts';
import { RemitError } from '../../base/index.ts';
import { Detach } from '../detach.ts';
import type { ExitCode } from '../exit-codes.ts';
import { remarkOn } from '../print.ts';
import { inline } from '../render/foreign-text.ts';
import { withDesk } from '../with-desk.ts';
import { type ApprovalWords, readManner } from './approval-words.ts';
import { defaultTaskId, type ReadContract, readContract } from './contract-source.ts';
import { canAsk, holdSession, openScreen } from './hold.ts';

export interface RunWords extends ApprovalWords, Pick<SettingFlags, 'stateDir' | 'logLevel' | 'worker' | 'model'> {
  readonly id?: string;
  readonly effort?: DelegateInput['reasoning_effort'];
  readonly lane?: DelegateInput['worker_lane'];
  readonly repo?: string;
  readonly base?: string;
  readonly timeout?: number;
  readonly pathBase: 'cwd' | 'repository';
}

/** Delegates a contract, or comes back to its task, and stays with it. */
export async function runContract(source: string, words: RunWords): Promise<ExitCode> {
  const directory = resolve(words.repo ?? '.');
  const read = await readContract(source, { directory, pathBase: words.pathBase });
  const manner = readManner(words, read.contract.acceptance_criteria, canAsk());
  const taskId = words.id ?? defaultTaskId(source, read.hash);
  const json = words.json === true;
  using detach = new Detach();
  const { stateDir, logLevel, worker, model } = words;
  // Awaited here: signals are listened to until the end.
  return await withDesk({ stateDir, logLevel, worker, model }, async (desk) => {
    const screen = await openScreen(json);
    const before = await find(desk, taskId);
    if (before === undefined) screen.live(() => [`${inline(taskId)}  delegating`], `${inline(taskId)}: delegating`);
    await desk.delegate(delegation(taskId, read, words), directory).finally(screen.rest);
    const isNew = before === undefined || before.status.state === 'failed';
    if (!isNew && !json) tellOlder(before);
    return holdSession(desk, { taskId, manner, screen, detach, isNew, json });
  });
}

async function find(desk: Desk, taskId: string): Promise<TaskDetail | undefined> {
  try {
    return await desk.show(taskId);
  } catch (error) {
    if (error instanceof RemitError && error.code === 'task_not_found') return undefined;
    throw error;
  }
}

/** The contract goes out as it was read, with its paths at the repository's root, whatever they were relative to. */
function delegation(taskId: string, { contract }: ReadContract, words: RunWords): DelegateInput {
  const { base, lane, effort, timeout } = words;
  return {
    task_id: taskId,
    contract,
    path_base: 'repository',
    wait_mode: 'background',
    resume: false,
    ...(base !== undefined && { base_ref: base }),
    ...(lane !== undefined && { worker_lane: lane }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(timeout !== undefined && { execution_timeout_seconds: timeout }),
  } as DelegateInput;
}

const OVER: Readonly<Partial<Record<TaskDetail['status']['state'], string>>> = {
  completed: 'was committed already',
  commit_failed: 'ended without a commit',
  cancelled: 'was cancelled',
  closed: 'was closed',
};

function tellOlder({ status }: TaskDetail): void {
  const how = OVER[status.state];
  remarkOn(
    how === undefined
      ? `this contract's task ${status.task_id} is there already; this comes back to it`
      : `this contract's task ${status.task_id} ${how}; to begin anew, give another id: --id ${status.task_id.slice(0, 60)}-2`,
  );
}
