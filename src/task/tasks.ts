import { RemitError } from '../base/index.ts';
import { admitTask, type Delegation } from './admission.ts';
import { type InteractionResponse, interactionSchema } from './interactions.ts';
import { pause } from './landing.ts';
import { isTerminal, isWorking, moveTo } from './lifecycle.ts';
import { ownershipOf, requireNoOtherOwner } from './ownership.ts';
import { interactionNotFound } from './questions.ts';
import type { TaskRecord } from './record.ts';
import { type Beginning, type Occasion, TaskRun } from './task-run.ts';
import type { TaskTools } from './tools.ts';
import { ensureWorktree, takeBackWorktree } from './worktree.ts';

/** Repair rounds after review; more mean that the contract is wrong, not the work. */
export const MAX_REPAIR_ROUNDS = 2;

/** The tokens of the pause that a resume answers. */
export interface PauseTokens {
  readonly pauseRevision: number | undefined;
  readonly pauseReasonHash: string | undefined;
}

interface LivingRun {
  readonly run: TaskRun;
  readonly stopListening: () => void;
}

/** The life of every task that this process works on: begin, guide, answer, resume, stop. */
export class Tasks {
  readonly #tools: TaskTools;
  readonly #runs = new Map<string, LivingRun>();
  readonly #endings = new Map<string, Promise<void>>();
  /** Tasks whose first prompt is not on its way yet, or whose worktree is being taken back. */
  readonly #starts = new Map<string, Promise<unknown>>();

  constructor(tools: TaskTools) {
    this.#tools = tools;
  }

  /**
   * Creates the task and starts its worker in the background. `started` settles, and never rejects, when the worker has
   * its prompt, or with the refusal after which branch and worktree are gone.
   */
  async create(delegation: Delegation): Promise<{ record: TaskRecord; started: Promise<RemitError | undefined> }> {
    // The same task may have failed a moment ago: its branch and worktree go first.
    await this.#starts.get(delegation.taskId);
    const record = await admitTask(delegation, this.#tools);
    const { journal } = this.#tools;
    // It may have been cancelled while it was admitted.
    if (!isWorking(journal.read(record.task_id).status.state)) return { record, started: Promise.resolve(undefined) };
    const started = this.#begin(record.task_id, undefined).then((beginning) => {
      if (beginning.kind !== 'refused') this.#tools.prepareReview(record);
      return this.#takeBackIfRefused(record, beginning);
    });
    const settled = started.finally(() => this.#starts.delete(record.task_id));
    this.#starts.set(record.task_id, settled);
    return { record, started };
  }

  /** Goes on with a paused task, with `message` for its worker; stale or missing tokens are refused with the present ones. */
  async resume(taskId: string, tokens: PauseTokens, message?: string): Promise<TaskRecord> {
    const { journal } = this.#tools;
    const record = journal.read(taskId);
    const reason = requirePauseTokens(record, tokens);
    await ensureWorktree(record, this.#tools);
    const told = message === undefined ? {} : { message };
    const resumed = journal.change(taskId, { type: 'resumed', data: told }, (now) => {
      requirePauseTokens(now, tokens);
      const running = moveTo(now, { state: 'running', phase: 'resuming' });
      return message === undefined ? running : { ...running, guidance: message };
    });
    void this.#begin(taskId, { reason: `The task was paused and is resumed. Why it was paused: ${reason}`, ...told });
    return resumed;
  }

  /** Guides a running worker, or opens a repair round at review. */
  async steer(taskId: string, message: string): Promise<TaskRecord> {
    const { journal } = this.#tools;
    const record = journal.read(taskId);
    if (record.status.state === 'review_required') {
      await ensureWorktree(record, this.#tools);
      return this.#repair(record, message);
    }
    if (record.status.state !== 'running') throw wrongState(record, 'steer', 'running or review_required');
    requireNoOtherOwner(journal, record, 'steer');
    const disposition = (await this.#runs.get(taskId)?.run.steer(message)) ?? 'absent';
    if (disposition === 'absent' || disposition === 'unsupported') {
      const why =
        disposition === 'absent'
          ? 'No turn of the worker is on right now: it starts, or its work is being looked at. Steer again in a moment.'
          : 'The worker takes no guidance in this turn: steer again at review_required, or cancel.';
      throw new RemitError('invalid_state', why, { details: { state: record.status.state } });
    }
    journal.note(taskId, { type: 'steered', data: { message, disposition } });
    return journal.read(taskId);
  }

  respond(taskId: string, interactionId: string, response: InteractionResponse): TaskRecord {
    const { journal, store } = this.#tools;
    const record = journal.read(taskId);
    const stored = store.readInteractions(taskId).find((row) => row.interactionId === interactionId);
    if (stored?.status !== 'pending') throw interactionNotFound(interactionId);
    requireNoOtherOwner(journal, record, 'answer');
    const living = this.#runs.get(taskId);
    if (living === undefined) throw interactionNotFound(interactionId);
    living.run.respond(interactionSchema.parse(stored.interaction), response);
    return journal.read(taskId);
  }

  /**
   * Stops the task for good; worktree and branch stay. A terminal task is answered as it is. Refused: closing what is
   * being verified, anything once the commit began, and what another living process is at work on.
   */
  async stop(taskId: string, how: 'cancelled' | 'closed', reason: string): Promise<TaskRecord> {
    const { journal } = this.#tools;
    if (isTerminal(journal.read(taskId).status.state)) return journal.read(taskId);
    const stopped = journal.change(taskId, { type: how }, (now) => {
      if (isTerminal(now.status.state)) return undefined;
      requireStoppable(now, how);
      requireNoOtherOwner(journal, now, how === 'closed' ? 'close' : 'cancel');
      return moveTo(now, { state: how, phase: how, reason });
    });
    await this.#endRun(taskId);
    return stopped;
  }

  /** Ends the idle worker of a task that nobody works on, so that another process may resume it, or begin it anew. */
  async release(taskId: string): Promise<void> {
    const record = this.#tools.journal.read(taskId);
    if (isWorking(record.status.state)) throw wrongState(record, 'release', 'a state in which nobody works');
    await this.#endRun(taskId);
    await this.#starts.get(taskId);
  }

  /**
   * Takes back the record of a task that failed before its first prompt, of which nothing else is left, so that its id
   * is free to be tried again. Answers whether it was such a task.
   */
  forget(taskId: string): boolean {
    const record = this.#tools.journal.find(taskId);
    const isNothing = record?.status.state === 'failed' && record.prompts_begun === 0;
    if (isNothing) this.#tools.journal.remove(taskId);
    return isNothing;
  }

  /** Ends every worker of this process; what was at work is paused, with its work kept. */
  async shutdown(): Promise<void> {
    await Promise.all(
      [...new Set([...this.#runs.keys(), ...this.#endings.keys()])].map(async (taskId) => {
        await this.#endRun(taskId);
        try {
          this.#pauseAtShutdown(taskId);
        } catch (error) {
          // The next process that looks at the task finds its host dead and pauses it.
          this.#tools.log('warn', 'a task could not be paused', { task: taskId, error: String(error) });
        }
      }),
    );
    await Promise.all(this.#starts.values());
  }

  #pauseAtShutdown(taskId: string): void {
    const { journal } = this.#tools;
    const reason = 'The host that worked on this task was stopped; its worktree is kept. Resume to go on.';
    const isOurs = (record: TaskRecord) =>
      isWorking(record.status.state) && ownershipOf(journal, taskId).kind === 'ours';
    const record = journal.find(taskId);
    if (record === undefined || !isOurs(record)) return;
    journal.change(taskId, { type: 'host_stopped' }, (now) =>
      isOurs(now) ? pause(now, 'host_stopped', reason) : undefined,
    );
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
      const repairing = moveTo(now, { state: 'running', phase: 'repairing' });
      return { ...repairing, repair_rounds: now.repair_rounds + 1, guidance: message };
    });
    void this.#begin(record.task_id, { reason: 'The reviewer asks for a repair.', message });
    return repairing;
  }

  #begin(taskId: string, occasion: Occasion | undefined): Promise<Beginning> {
    const living = this.#runs.get(taskId) ?? this.#openRun(taskId);
    return living.run.begin(occasion);
  }

  /** The run ends by itself when its task is over, or when another process has taken the task. */
  #openRun(taskId: string): LivingRun {
    const { journal } = this.#tools;
    const stopListening = journal.listen(taskId, (record) => {
      const isOver = record === undefined || isTerminal(record.status.state);
      if (isOver || ownershipOf(journal, taskId).kind !== 'ours') void this.#endRun(taskId);
    });
    const living = { run: new TaskRun(taskId, this.#tools), stopListening };
    this.#runs.set(taskId, living);
    return living;
  }

  async #takeBackIfRefused(record: TaskRecord, beginning: Beginning): Promise<RemitError | undefined> {
    if (beginning.kind !== 'refused') return undefined;
    await this.#endRun(record.task_id);
    try {
      await takeBackWorktree(record, this.#tools);
    } catch (error) {
      this.#tools.log('error', 'a worktree could not be taken back', { task: record.task_id, error: String(error) });
    }
    return beginning.error;
  }

  /** Ends the run; whoever finds it ending waits as well, until its worker and everything that it started is gone. */
  #endRun(taskId: string): Promise<void> {
    const living = this.#runs.get(taskId);
    if (living === undefined) return this.#endings.get(taskId) ?? Promise.resolve();
    this.#runs.delete(taskId);
    living.stopListening();
    const ending = living.run.end().finally(() => {
      if (this.#endings.get(taskId) === ending) this.#endings.delete(taskId);
    });
    this.#endings.set(taskId, ending);
    return ending;
  }
}

/** Answers the pause's reason when the tokens are those of the present pause. */
function requirePauseTokens(record: TaskRecord, tokens: PauseTokens): string {
  const { status } = record;
  if (status.state !== 'paused') throw wrongState(record, 'resume', 'paused');
  if (tokens.pauseRevision === record.pause_revision && tokens.pauseReasonHash === status.reason_hash) {
    return status.reason;
  }
  throw new RemitError(
    'invalid_request',
    `Task ${record.task_id} is paused: ${status.reason} To resume, read the reason and echo pause_revision and pause_reason_hash.`,
    {
      details: {
        pause_revision: record.pause_revision,
        pause_reason_hash: status.reason_hash,
        reason: status.reason,
      },
    },
  );
}

function requireStoppable({ task_id, status }: TaskRecord, how: 'cancelled' | 'closed'): void {
  if (status.state !== 'verifying') return;
  const why =
    status.commit !== undefined
      ? `The commit of task ${task_id} has begun: it cannot be stopped any more; wait for its end.`
      : `Task ${task_id} is verifying: cancel it, or wait for its end, before it is closed.`;
  if (status.commit !== undefined || how === 'closed') {
    throw new RemitError('invalid_state', why, { details: { state: status.state } });
  }
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
