import { RemitError } from '../base/index.ts';
import { parseStoredContract, renderResumePrompt, renderTaskPrompt } from '../contract/index.ts';
import type { TurnOutcome, WorkerSession } from '../worker/index.ts';
import { Deadline } from './deadline.ts';
import { answerOf, type Interaction, type InteractionResponse } from './interactions.ts';
import { land, pause, type WorkEnd } from './landing.ts';
import { isWorking, moveTo } from './lifecycle.ts';
import { LivingWorker } from './living-worker.ts';
import { ownershipOf } from './ownership.ts';
import { Questions } from './questions.ts';
import { appendReceipts } from './receipts.ts';
import type { TaskRecord } from './record.ts';
import { describeChanged, watchRepository } from './repository-watch.ts';
import { findTaskCollision, lookAtTaskSource } from './source-collision.ts';
import type { TaskTools } from './tools.ts';
import { judgeTurn, type TurnEnd, turnRisks } from './turn-end.ts';
import { untilWritten } from './until-written.ts';

export type Beginning =
  | { readonly kind: 'began' }
  | { readonly kind: 'refused'; readonly error: RemitError }
  | { readonly kind: 'ended' };

/** Why there is another prompt, and what the supervisor says to it. */
export interface Occasion {
  readonly reason: string;
  readonly message?: string;
}

/** The living half of one task in this process: its worker, its open questions, its deadline. */
export class TaskRun {
  readonly #taskId: string;
  readonly #tools: TaskTools;
  readonly #abort = new AbortController();
  readonly #questions: Questions;
  readonly #worker: LivingWorker;
  #deadline: Deadline | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(taskId: string, tools: TaskTools) {
    this.#taskId = taskId;
    this.#tools = tools;
    this.#questions = new Questions(taskId, tools.journal, {
      opened: () => this.#deadline?.pause(),
      closed: () => this.#deadline?.resume(),
    });
    this.#worker = new LivingWorker(taskId, tools, this.#questions);
  }

  /** Begins work in the background. The answer tells when the prompt is on its way, or why there is none. */
  begin(occasion: Occasion | undefined): Promise<Beginning> {
    return new Promise((resolve) => {
      this.#working = this.#working
        .then(() => this.#work(occasion, resolve))
        .catch((error) => this.#report('a task could not be landed', error));
    });
  }

  /** `absent`: no turn is on right now that could be guided. */
  async steer(message: string): Promise<'accepted' | 'queued' | 'unsupported' | 'absent'> {
    return this.#deadline && this.#worker.session ? this.#worker.session.steer(message) : 'absent';
  }

  respond(interaction: Interaction, response: InteractionResponse): void {
    this.#questions.answer(interaction, response, answerOf(interaction, response));
  }

  /** Ends the worker and everything it started; the task's state is decided by whoever asked. */
  async end(): Promise<void> {
    this.#abort.abort(new Error('the task was stopped'));
    try {
      this.#questions.cancelAll();
    } catch (error) {
      this.#report('an open question could not be cancelled', error);
    }
    await this.#worker.rest();
    await this.#working;
  }

  async #work(occasion: Occasion | undefined, began: (how: Beginning) => void): Promise<void> {
    try {
      this.#phase('waiting_for_worker');
      const looked = beside(findTaskCollision(this.#tools.journal.read(this.#taskId), this.#tools, 'before_work'));
      const session = await this.#worker.awake(this.#abort.signal);
      const before = await looked;
      this.#abort.signal.throwIfAborted();
      const end: WorkEnd = before
        ? { kind: 'collision', collision: before }
        : await this.#promptAndLook(session, occasion, began);
      // A turn that ended because the task or the host was stopped is no end of work.
      this.#abort.signal.throwIfAborted();
      this.#changeIfWorking('work_ended', (record) => land(record, end, this.#tools.journal.now()));
      // In the same turn of the loop, so that it is in line before whoever finalizes.
      const landed = this.#tools.journal.find(this.#taskId);
      if (landed?.status.state === 'review_required') this.#tools.prepareReview(landed);
    } catch (error) {
      await this.#landFailure(error, began);
    } finally {
      began({ kind: 'ended' });
      if (this.#abort.signal.aborted) void this.#worker.rest();
      else this.#worker.idle();
    }
  }

  async #promptAndLook(
    session: WorkerSession,
    occasion: Occasion | undefined,
    began: (how: Beginning) => void,
  ): Promise<WorkEnd> {
    const { journal } = this.#tools;
    const prompt = this.#prompt(session, occasion);
    const changedMeanwhile = await watchRepository(journal.read(this.#taskId), this.#tools);
    const record = journal.change(this.#taskId, { type: 'prompt_begun', data: { ...occasion } }, (now) => ({
      ...moveTo(now, { state: 'running', phase: 'working' }),
      prompts_begun: now.prompts_begun + 1,
    }));
    began({ kind: 'began' });
    const { services } = this.#worker;
    const turn = await this.#turn(session, prompt, record.execution_timeout_seconds * 1000);
    this.#nameChanged(await changedMeanwhile());
    if (turn.kind === 'interrupted') return turn.end;
    this.#phase('taking_snapshot');
    const looked = beside(lookAtTaskSource(journal.read(this.#taskId), this.#tools, 'after_work'));
    const verdict = await this.#tools.inspectWork(journal.read(this.#taskId));
    const source = await looked;
    if (source.collision) return { kind: 'collision', collision: source.collision };
    const readiness = verdict.kind === 'reviewable' ? await services?.judge(verdict.taken) : undefined;
    const risks = [...turnRisks(turn.outcome), ...(source.movement === undefined ? [] : [source.movement])];
    return { kind: 'idle', verdict, summary: turn.outcome.summary, risks, ...(readiness && { readiness }) };
  }

  #prompt(session: WorkerSession, occasion: Occasion | undefined): string {
    const record = this.#tools.journal.read(this.#taskId);
    const contract = parseStoredContract(record.contract);
    const facts = { lane: record.worker_lane, worktree: record.worktree };
    const message = occasion?.message ?? record.guidance;
    const isFirst = record.prompts_begun === 0;
    if (occasion === undefined || (isFirst && message === undefined)) return renderTaskPrompt(contract, facts);
    const said = { reason: occasion.reason, ...(message !== undefined && { message }) };
    return renderResumePrompt(contract, { ...facts, ...said, contextLost: isFirst || session.contextLost });
  }

  async #turn(session: WorkerSession, prompt: string, limitMs: number): Promise<TurnEnd> {
    let expired = false;
    using deadline = new Deadline(limitMs, () => {
      expired = true;
      void session.cancel();
    });
    this.#deadline = deadline;
    const outcome = await session.prompt(prompt);
    this.#deadline = undefined;
    this.#recordTurn(outcome);
    return judgeTurn(outcome, { expired, limitMs });
  }

  #recordTurn(outcome: TurnOutcome): void {
    const usage = outcome.kind === 'ended' ? outcome.usage : undefined;
    const data =
      outcome.kind === 'ended'
        ? { stop_reason: outcome.stopReason, claim: outcome.summary }
        : { outcome: outcome.kind };
    const receipts = this.#worker.takeReceipts();
    this.#tools.journal.change(
      this.#taskId,
      { type: 'turn_ended', data },
      (record) => (usage ? { ...record, usage } : record),
      (tx) => appendReceipts(tx, this.#tools.store, this.#taskId, receipts),
    );
  }

  /** It stays changed, so every later review says so, too. */
  #nameChanged(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#tools.journal.change(this.#taskId, { type: 'repository_changed', data: { names } }, (record) => ({
      ...record,
      standing_risks: [...record.standing_risks, describeChanged(names)],
    }));
  }

  async #landFailure(error: unknown, began: (how: Beginning) => void): Promise<void> {
    const { signal } = this.#abort;
    const refusal = error instanceof RemitError ? error : undefined;
    if (!refusal && !signal.aborted) this.#report('a task was interrupted', error);
    await untilWritten(this.#taskId, () => this.#tryToLand(refusal, began), { log: this.#tools.log, signal });
  }

  #tryToLand(refusal: RemitError | undefined, began: (how: Beginning) => void): void {
    if (this.#abort.signal.aborted) return;
    const record = this.#tools.journal.find(this.#taskId);
    if (record === undefined) return;
    if (refusal && record.prompts_begun === 0 && record.status.state === 'provisioning') {
      began({ kind: 'refused', error: refusal });
      this.#changeIfWorking('worker_refused', (now) =>
        moveTo(now, { state: 'failed', phase: refusal.code, reason: refusal.message }),
      );
      return;
    }
    const reason =
      refusal?.message ?? 'The host could not go on with this task; its log has the cause. The work is kept: resume.';
    this.#changeIfWorking('work_interrupted', (now) => pause(now, refusal?.code ?? 'host_error', reason));
  }

  /** Changes the task only while its work is this process's: it may have been stopped or taken over meanwhile. */
  #changeIfWorking(type: string, change: (record: TaskRecord) => TaskRecord): void {
    const { journal } = this.#tools;
    const isOurs = (record: TaskRecord | undefined): record is TaskRecord =>
      record !== undefined && isWorking(record.status.state) && ownershipOf(journal, this.#taskId).kind === 'ours';
    if (!isOurs(journal.find(this.#taskId))) return;
    journal.change(this.#taskId, { type }, (now) => (isOurs(now) ? change(now) : undefined));
  }

  #phase(phase: string): void {
    this.#changeIfWorking('phase', (record) => ({ ...record, status: { ...record.status, phase } }));
  }

  #report(message: string, error: unknown): void {
    this.#tools.log('error', message, {
      task: this.#taskId,
      error: String(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
  }
}

/** A step that runs beside the next one and is awaited after it, so that its failure leaves nothing half done. */
function beside<T>(step: Promise<T>): Promise<T> {
  step.catch(() => {});
  return step;
}
