import { RemitError } from '../base/index.ts';
import { admitTask, type Delegation } from './admission.ts';
import { type InteractionResponse, interactionSchema } from './interactions.ts';
import { isTerminal, moveTo } from './lifecycle.ts';
import { requireNoOtherOwner } from './ownership.ts';
import { interactionNotFound } from './questions.ts';
import type { TaskRecord } from './record.ts';
import { type Beginning, TaskRun } from './task-run.ts';
import type { TaskTools } from './tools.ts';
import { ensureWorktree, takeBackWorktree } from './worktree.ts';

/** Repair rounds after review; more mean that the contract is wrong, not the work. */
const MAX_REPAIR_ROUNDS = 2;

/** The tokens of the pause that a resume answers. */
export interface PauseTokens {
  readonly pauseRevision: number | undefined;
  readonly pauseReasonHash: string | undefined;
}

/** The life of every task that this process works on: begin, guide, answer, resume, stop. */
export class Tasks {
  readonly #tools: TaskTools;
  readonly #runs = new Map<string, TaskRun>();

  constructor(tools: TaskTools) {
    this.#tools = tools;
  }

  /**
   * Creates the task and starts its worker in the background. `started` settles when the worker has its prompt, or
   * with the refusal after which nothing of the task is left.
   */
  async create(delegation: Delegation): Promise<{ record: TaskRecord; started: Promise<RemitError | undefined> }> {
    const record = await admitTask(delegation, this.#tools);
    const started = this.#begin(record.task_id, undefined, false).then((beginning) =>
      this.#takeBackIfRefused(record, beginning),
    );
    return { record, started };
  }

  /** Goes on with a paused task; stale or missing tokens are refused with the present ones. */
  async resume(taskId: string, tokens: PauseTokens): Promise<TaskRecord> {
    const record = this.#tools.journal.read(taskId);
    requirePauseTokens(record, tokens);
    requireNoOtherOwner(this.#tools.journal, record, 'resume');
    await ensureWorktree(record, this.#tools);
    const resumed = this.#tools.journal.change(taskId, { type: 'resumed' }, (now) => {
      requirePauseTokens(now, tokens);
      return moveTo(now, { state: 'running', phase: 'resuming' });
    });
    void this.#begin(taskId, undefined, false);
    return resumed;
  }

  /** Guides a running worker, or opens a repair round at review. */
  async steer(taskId: string, message: string): Promise<TaskRecord> {
    const record = this.#tools.journal.read(taskId);
    requireNoOtherOwner(this.#tools.journal, record, 'steer');
    if (record.status.state === 'review_required') return this.#repair(record, message);
    if (record.status.state !== 'running') throw wrongState(record, 'steer', 'running or review_required');
    const disposition = await this.#run(record).steer(message);
    if (disposition === 'unsupported') {
      throw new RemitError(
        'invalid_state',
        'This worker takes no guidance in the middle of a turn: steer again at review_required, or cancel.',
        {
          details: { state: record.status.state },
        },
      );
    }
    this.#tools.journal.note(taskId, { type: 'steered', data: { message, disposition } });
    return this.#tools.journal.read(taskId);
  }

  respond(taskId: string, interactionId: string, response: InteractionResponse): TaskRecord {
    const record = this.#tools.journal.read(taskId);
    const stored = this.#tools.store.readInteractions(taskId).find((row) => row.interactionId === interactionId);
    if (stored?.status !== 'pending') throw interactionNotFound(interactionId);
    requireNoOtherOwner(this.#tools.journal, record, 'answer');
    this.#run(record).respond(interactionSchema.parse(stored.interaction), response);
    return this.#tools.journal.read(taskId);
  }

  /** Stops the task for good; worktree and branch stay. A terminal task is answered as it is. */
  async stop(taskId: string, how: 'cancelled' | 'closed', reason: string): Promise<TaskRecord> {
    const record = this.#tools.journal.read(taskId);
    if (isTerminal(record.status.state)) return record;
    requireNoOtherOwner(this.#tools.journal, record, how === 'closed' ? 'close' : 'cancel');
    const stopped = this.#tools.journal.change(taskId, { type: how }, (now) =>
      isTerminal(now.status.state) ? now : moveTo(now, { state: how, phase: how, reason }),
    );
    await this.#endRun(taskId);
    return stopped;
  }

  /** Takes a task's record back that failed before its first prompt, so that its id is free to be tried again. */
  forget(taskId: string): void {
    const record = this.#tools.journal.find(taskId);
    if (record?.status.state === 'failed' && record.prompts_begun === 0) this.#tools.journal.remove(taskId);
  }

  /** Ends every worker of this process; the tasks stay as they are and are recovered at the next start. */
  async shutdown(): Promise<void> {
    await Promise.all([...this.#runs.keys()].map((taskId) => this.#endRun(taskId)));
  }

  #repair(record: TaskRecord, message: string): TaskRecord {
    const repairing = this.#tools.journal.change(record.task_id, { type: 'repair_begun', data: { message } }, (now) => {
      if (now.status.state !== 'review_required') throw wrongState(now, 'steer', 'running or review_required');
      if (now.repair_rounds >= MAX_REPAIR_ROUNDS) {
        throw new RemitError(
          'repair_limit_reached',
          `Both repair rounds are used: finalize task ${now.task_id} as it is, or cancel it and delegate anew.`,
        );
      }
      return { ...moveTo(now, { state: 'running', phase: 'repairing' }), repair_rounds: now.repair_rounds + 1 };
    });
    void this.#begin(record.task_id, message, true);
    return repairing;
  }

  #begin(taskId: string, message: string | undefined, repair: boolean): Promise<Beginning> {
    const run = this.#runs.get(taskId) ?? new TaskRun(taskId, this.#tools);
    this.#runs.set(taskId, run);
    return run.begin(message, repair);
  }

  async #takeBackIfRefused(record: TaskRecord, beginning: Beginning): Promise<RemitError | undefined> {
    if (beginning.kind !== 'refused') return undefined;
    this.#runs.delete(record.task_id);
    await takeBackWorktree(record, this.#tools);
    return beginning.error;
  }

  #run(record: TaskRecord): TaskRun {
    const run = this.#runs.get(record.task_id);
    if (run) return run;
    throw wrongState(record, 'this action', 'a worker at work');
  }

  async #endRun(taskId: string): Promise<void> {
    const run = this.#runs.get(taskId);
    this.#runs.delete(taskId);
    await run?.end();
  }
}

function requirePauseTokens(record: TaskRecord, tokens: PauseTokens): void {
  const { status } = record;
  if (status.state !== 'paused') throw wrongState(record, 'resume', 'paused');
  if (tokens.pauseRevision === record.pause_revision && tokens.pauseReasonHash === status.reason_hash) return;
  throw new RemitError(
    'invalid_request',
    `Task ${record.task_id} is paused: ${status.reason} To resume, read the reason and echo pause_revision and pause_reason_hash.`,
    {
      details: { pause_revision: record.pause_revision, pause_reason_hash: status.reason_hash, reason: status.reason },
    },
  );
}

export function wrongState(record: TaskRecord, action: string, needed: string): RemitError {
  return new RemitError(
    'invalid_state',
    `Task ${record.task_id} is ${record.status.state}: ${action} needs ${needed}.`,
    {
      details: { state: record.status.state },
    },
  );
}
