import type { ReceiptDraft } from '../evidence/index.ts';
import { startWorker, type WorkerSession } from '../worker/index.ts';
import { listPaths } from './landing.ts';
import type { Questions } from './questions.ts';
import type { TaskServices } from './services/task-services.ts';
import type { TaskTools } from './tools.ts';
import { workerRefused } from './turn-end.ts';
import { WorkerJournal } from './worker-journal.ts';
import { prepareWorker } from './worker-launch.ts';

/** How long an idle worker is kept for a repair before it is put to rest; a later repair resumes its session. */
const REST_AFTER_MS = 5 * 60_000;

const SETTINGS_RISKS = {
  hidden: 'Agent settings of the repository were hidden from the worker',
  in_sight:
    'The write scope reaches into agent settings, which may therefore have run code in the worker, inside its box, or lifted its asking',
} as const;

/** The one process of a task's worker: started when there is work, kept while idle, put to rest, started again. */
export class LivingWorker {
  readonly #taskId: string;
  readonly #tools: TaskTools;
  readonly #questions: Questions;
  #session: WorkerSession | undefined;
  #events: WorkerJournal | undefined;
  #services: TaskServices | undefined;
  #resting: Promise<void> = Promise.resolve();
  #restTimer: NodeJS.Timeout | undefined;

  constructor(taskId: string, tools: TaskTools, questions: Questions) {
    this.#taskId = taskId;
    this.#tools = tools;
    this.#questions = questions;
  }

  get session(): WorkerSession | undefined {
    return this.#session;
  }

  /** What the host does for the worker and has seen of it; only of one that works through the host. */
  get services(): TaskServices | undefined {
    return this.#services;
  }

  /** The worker, with a place among the living ones; started or resumed if need be. Throws what its family refuses with. */
  async awake(signal: AbortSignal): Promise<WorkerSession> {
    clearTimeout(this.#restTimer);
    // Two processes of one worker would write into one worktree: the old one is gone before a new one starts.
    await this.#resting;
    await this.#tools.slots.acquire(this.#taskId, signal);
    this.#session ??= await this.#start(signal);
    return this.#session;
  }

  /** Nothing to do for now: the process stays until somebody needs its place, or for a while. */
  idle(): void {
    if (!this.#session) {
      void this.rest();
      return;
    }
    this.#tools.slots.idle(this.#taskId, () => this.rest());
    this.#restTimer = setTimeout(() => void this.rest(), REST_AFTER_MS).unref();
  }

  /** Ends the process and everything it started. */
  rest(): Promise<void> {
    clearTimeout(this.#restTimer);
    const session = this.#session;
    const services = this.#services;
    this.#session = undefined;
    this.#services = undefined;
    this.#resting = this.#resting
      .then(() => session?.stop())
      .then(() => services?.stop())
      .catch((error) =>
        this.#tools.log('warn', 'a worker could not be ended', { task: this.#taskId, error: String(error) }),
      )
      .then(() => this.#tools.slots.release(this.#taskId));
    return this.#resting;
  }

  /** What the host saw since the last time, for the ledger. */
  takeReceipts(): ReceiptDraft[] {
    return this.#events?.takeReceipts() ?? [];
  }

  async #start(signal: AbortSignal): Promise<WorkerSession> {
    const { journal, feed } = this.#tools;
    const events = new WorkerJournal(this.#taskId, journal);
    this.#events = events;
    const { options, services, hiddenSettings, settingsInSight } = await prepareWorker(
      journal.read(this.#taskId),
      this.#tools,
      {
        ask: (question, asked) => this.#questions.ask(question, asked),
        onEvent: (event) => {
          events.record(event);
          if (event.type === 'message' || event.type === 'usage') feed.publish(this.#taskId, event);
        },
        signal,
      },
    );
    await this.#services?.stop();
    this.#services = services;
    this.#nameSettings('hidden', hiddenSettings);
    this.#nameSettings('in_sight', settingsInSight);
    const outcome = await startWorker(options);
    if (outcome.kind === 'refused') throw workerRefused(options.adapter, outcome);
    const { session } = outcome;
    void session.exited.then(() => this.#forget(session));
    this.#record(session);
    return session;
  }

  #forget(session: WorkerSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#tools.slots.release(this.#taskId);
  }

  /** The reviewer is told what of the agent's own settings the worker could not see, and what it could. */
  #nameSettings(how: keyof typeof SETTINGS_RISKS, paths: readonly string[]): void {
    if (paths.length === 0) return;
    const risk = `${SETTINGS_RISKS[how]}: ${listPaths(paths)}`;
    this.#tools.journal.change(this.#taskId, { type: `settings_${how}`, data: { paths } }, (record) =>
      record.standing_risks.includes(risk) ? record : { ...record, standing_risks: [...record.standing_risks, risk] },
    );
  }

  #record(session: WorkerSession): void {
    const { agent, contextLost, mode, workMode, effort } = session;
    this.#tools.journal.change(this.#taskId, { type: 'worker_started', data: { ...agent, contextLost } }, (record) => ({
      ...record,
      session: {
        id: session.sessionId,
        ...(agent.name !== undefined && { agent_name: agent.name }),
        ...(agent.version !== undefined && { agent_version: agent.version }),
        ...(mode !== undefined && { mode }),
        ...(workMode !== undefined && { work_mode: workMode }),
        ...(effort !== undefined && { effort }),
      },
    }));
  }
}
