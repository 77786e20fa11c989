import { RemitError } from '../base/index.ts';
import { parseStoredContract, renderResumePrompt, renderTaskPrompt } from '../contract/index.ts';
import { startWorker, type TurnOutcome, type WorkerSession } from '../worker/index.ts';
import { Deadline } from './deadline.ts';
import { answerOf, type Interaction, type InteractionResponse } from './interactions.ts';
import { land, listPaths, pause, type WorkEnd } from './landing.ts';
import { isTerminal, isWorking, moveTo } from './lifecycle.ts';
import { Questions } from './questions.ts';
import { appendReceipts } from './receipts.ts';
import type { TaskRecord } from './record.ts';
import { findTaskCollision } from './source-collision.ts';
import type { TaskTools } from './tools.ts';
import { judgeTurn, type TurnEnd, turnRisks, workerRefused } from './turn-end.ts';
import { WorkerJournal } from './worker-journal.ts';
import { prepareWorker } from './worker-launch.ts';

/** How long an idle worker is kept for a repair before it is put to rest; a later repair resumes its session. */
const REST_AFTER_MS = 5 * 60_000;

export type Beginning = { kind: 'began' } | { kind: 'refused'; error: RemitError } | { kind: 'ended' };

/** The living half of one task in this process: its worker, its open questions, its deadline. */
export class TaskRun {
  readonly #taskId: string;
  readonly #tools: TaskTools;
  readonly #abort = new AbortController();
  readonly #questions: Questions;
  #session: WorkerSession | undefined;
  #events: WorkerJournal | undefined;
  #deadline: Deadline | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(taskId: string, tools: TaskTools) {
    this.#taskId = taskId;
    this.#tools = tools;
    this.#questions = new Questions(taskId, tools.journal, {
      opened: () => this.#deadline?.pause(),
      closed: () => this.#deadline?.resume(),
    });
  }

  /** Begins work in the background. The answer tells when the first prompt is on its way, or why there is none. */
  begin(message: string | undefined, repair: boolean): Promise<Beginning> {
    return new Promise((resolve) => {
      this.#working = this.#working.then(() => this.#work({ message, repair, began: resolve }));
    });
  }

  async steer(message: string): Promise<'accepted' | 'queued' | 'unsupported'> {
    return this.#session ? this.#session.steer(message) : 'unsupported';
  }

  respond(interaction: Interaction, response: InteractionResponse): void {
    this.#questions.answer(interaction, response, answerOf(interaction, response));
  }

  /** Ends the worker and everything it started; the task's state is decided by whoever asked. */
  async end(): Promise<void> {
    this.#abort.abort(new Error('the task was stopped'));
    this.#questions.cancelAll();
    await this.#rest();
    await this.#working;
  }

  async #work(job: { message: string | undefined; repair: boolean; began: (how: Beginning) => void }): Promise<void> {
    try {
      await this.#tools.slots.acquire(this.#taskId, this.#abort.signal);
      const session = await this.#ensureSession();
      const end = await this.#promptAndLook(session, job);
      this.#land(end);
    } catch (error) {
      this.#landFailure(error, job.began);
    } finally {
      job.began({ kind: 'ended' });
      this.#afterWork();
    }
  }

  async #ensureSession(): Promise<WorkerSession> {
    clearTimeout(this.#restTimer);
    if (this.#session) return this.#session;
    const record = this.#tools.journal.read(this.#taskId);
    this.#phase('starting_worker');
    const events = new WorkerJournal(this.#taskId, this.#tools.journal);
    this.#events = events;
    const { options, hiddenSettings } = await prepareWorker(record, this.#tools, {
      ask: (question, signal) => this.#questions.ask(question, signal),
      onEvent: (event) => events.record(event),
      signal: this.#abort.signal,
    });
    this.#nameHidden(hiddenSettings);
    const outcome = await startWorker(options);
    if (outcome.kind === 'refused') throw workerRefused(options.adapter, outcome);
    this.#session = outcome.session;
    if (this.#abort.signal.aborted) await this.#rest();
    this.#abort.signal.throwIfAborted();
    void outcome.session.exited.then(() => this.#forget(outcome.session));
    this.#recordSession(outcome.session);
    return outcome.session;
  }

  async #promptAndLook(
    session: WorkerSession,
    job: { message: string | undefined; repair: boolean; began: (how: Beginning) => void },
  ): Promise<WorkEnd> {
    const before = await findTaskCollision(this.#tools.journal.read(this.#taskId), this.#tools, 'before_work');
    if (before) return { kind: 'collision', collision: before };
    const { journal } = this.#tools;
    const prompt = this.#prompt(session, job);
    const record = journal.change(this.#taskId, { type: 'prompt_begun', data: { repair: job.repair } }, (now) => ({
      ...moveTo(now, { state: 'running', phase: 'working' }),
      prompts_begun: now.prompts_begun + 1,
    }));
    job.began({ kind: 'began' });
    const turn = await this.#turn(session, prompt, record.execution_timeout_seconds * 1000);
    if (turn.kind === 'interrupted') return turn.end;
    const after = await findTaskCollision(journal.read(this.#taskId), this.#tools, 'after_work');
    if (after) return { kind: 'collision', collision: after };
    this.#phase('taking_snapshot');
    const verdict = await this.#tools.inspectWork(journal.read(this.#taskId));
    return { kind: 'idle', verdict, summary: turn.outcome.summary, risks: turnRisks(turn.outcome) };
  }

  #prompt(session: WorkerSession, job: { message: string | undefined; repair: boolean }): string {
    const record = this.#tools.journal.read(this.#taskId);
    const contract = parseStoredContract(record.contract);
    if (record.prompts_begun === 0) {
      return renderTaskPrompt(contract, { lane: record.worker_lane, worktree: record.worktree });
    }
    const reason = job.repair ? 'The reviewer asks for a repair.' : 'The task was paused and is resumed.';
    return renderResumePrompt(contract, {
      reason,
      contextLost: session.contextLost,
      worktree: record.worktree,
      lane: record.worker_lane,
      ...(job.message !== undefined && { message: job.message }),
    });
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

  /** Lands the end of work, unless the task was stopped or taken over meanwhile. */
  #land(end: WorkEnd): void {
    this.#changeIfWorking('work_ended', (record) => land(record, end, this.#tools.journal.now()));
  }

  #landFailure(error: unknown, began: (how: Beginning) => void): void {
    if (this.#abort.signal.aborted) return;
    const refusal = error instanceof RemitError ? error : undefined;
    const record = this.#tools.journal.find(this.#taskId);
    if (record === undefined) return;
    if (refusal && record.prompts_begun === 0 && record.status.state === 'provisioning') {
      began({ kind: 'refused', error: refusal });
      this.#changeIfWorking(refusal.code, (now) =>
        moveTo(now, { state: 'failed', phase: refusal.code, reason: refusal.message }),
      );
      return;
    }
    if (!refusal)
      this.#tools.log('error', 'a task was interrupted', {
        task: this.#taskId,
        error: String(error),
        stack: (error as Error)?.stack,
      });
    const reason =
      refusal?.message ?? 'The host could not go on with this task; its log has the cause. The work is kept: resume.';
    this.#changeIfWorking('work_interrupted', (now) => pause(now, refusal?.code ?? 'host_error', reason));
  }

  #changeIfWorking(type: string, change: (record: TaskRecord) => TaskRecord): void {
    const record = this.#tools.journal.find(this.#taskId);
    if (record === undefined || !isWorking(record.status.state)) return;
    this.#tools.journal.change(this.#taskId, { type }, (now) => (isWorking(now.status.state) ? change(now) : now));
  }

  #phase(phase: string): void {
    this.#changeIfWorking('phase', (record) => ({ ...record, status: { ...record.status, phase } }));
  }

  /** The reviewer is told what the worker could not see. */
  #nameHidden(paths: readonly string[]): void {
    if (paths.length === 0) return;
    const risk = `Agent settings of the repository were hidden from the worker: ${listPaths(paths)}`;
    this.#tools.journal.change(this.#taskId, { type: 'settings_hidden', data: { paths } }, (record) =>
      record.standing_risks.includes(risk) ? record : { ...record, standing_risks: [...record.standing_risks, risk] },
    );
  }

  #recordSession(session: WorkerSession): void {
    this.#tools.journal.change(
      this.#taskId,
      { type: 'worker_started', data: { ...session.agent, contextLost: session.contextLost } },
      (record) => ({
        ...record,
        session: {
          id: session.sessionId,
          ...(session.agent.name !== undefined && { agent_name: session.agent.name }),
          ...(session.agent.version !== undefined && { agent_version: session.agent.version }),
          ...(session.mode !== undefined && { mode: session.mode }),
          ...(session.workMode !== undefined && { work_mode: session.workMode }),
          ...(session.effort !== undefined && { effort: session.effort }),
        },
      }),
    );
  }

  #recordTurn(outcome: TurnOutcome): void {
    const usage = outcome.kind === 'ended' ? outcome.usage : undefined;
    const data =
      outcome.kind === 'ended'
        ? { stop_reason: outcome.stopReason, claim: outcome.summary }
        : { outcome: outcome.kind };
    const receipts = this.#events?.takeReceipts() ?? [];
    this.#tools.journal.change(
      this.#taskId,
      { type: 'turn_ended', data },
      (record) => (usage ? { ...record, usage } : record),
      (tx) => appendReceipts(tx, this.#tools.store, this.#taskId, receipts),
    );
  }

  #forget(session: WorkerSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#tools.slots.release(this.#taskId);
  }

  #afterWork(): void {
    const record = this.#tools.journal.find(this.#taskId);
    if (!this.#session || record === undefined || isTerminal(record.status.state)) {
      void this.#rest();
      return;
    }
    this.#tools.slots.idle(this.#taskId, () => this.#rest());
    this.#restTimer = setTimeout(() => void this.#rest(), REST_AFTER_MS).unref();
  }

  async #rest(): Promise<void> {
    clearTimeout(this.#restTimer);
    const session = this.#session;
    this.#session = undefined;
    await session?.stop();
    this.#tools.slots.release(this.#taskId);
  }
}
