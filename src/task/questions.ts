import { RemitError } from '../base/index.ts';
import type { WorkerAnswer, WorkerQuestion } from '../worker/index.ts';
import { type Interaction, type InteractionResponse, openInteraction } from './interactions.ts';
import type { Journal } from './journal.ts';
import { moveTo } from './lifecycle.ts';

interface Pending {
  readonly interaction: Interaction;
  readonly settle: (answer: WorkerAnswer) => void;
}

/** The worker's open question, one at a time: stored with the waiting state, answered by a supervisor or cancelled. */
export class Questions {
  readonly #taskId: string;
  readonly #journal: Journal;
  readonly #clock: { opened: () => void; closed: () => void };
  #pending: Pending | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(taskId: string, journal: Journal, clock: { opened: () => void; closed: () => void }) {
    this.#taskId = taskId;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Puts one question to the supervisor and waits; further ones wait their turn. */
  ask(question: WorkerQuestion, signal: AbortSignal): Promise<WorkerAnswer> {
    const asked = this.#turn.then(() => this.#askNow(question, signal));
    this.#turn = asked.catch(() => {});
    return asked;
  }

  /** Records the supervisor's answer and wakes the worker. `interaction_not_found` when it is not the open one. */
  answer(interaction: Interaction, response: InteractionResponse, answer: WorkerAnswer): void {
    if (this.#pending?.interaction.id !== interaction.id) throw interactionNotFound(interaction.id);
    const { settle } = this.#pending;
    this.#close(interaction, 'resolved', { ...response });
    settle(answer);
  }

  cancelAll(): void {
    if (!this.#pending) return;
    const { interaction, settle } = this.#pending;
    this.#close(interaction, 'cancelled');
    settle({ kind: 'cancelled' });
  }

  async #askNow(question: WorkerQuestion, signal: AbortSignal): Promise<WorkerAnswer> {
    if (signal.aborted) return { kind: 'cancelled' };
    const interaction = openInteraction(question, this.#journal.now());
    this.#clock.opened();
    const cancel = () => this.cancelAll();
    try {
      return await new Promise<WorkerAnswer>((resolve) => {
        this.#open(interaction);
        this.#pending = { interaction, settle: resolve };
        signal.addEventListener('abort', cancel, { once: true });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#clock.closed();
    }
  }

  #open(interaction: Interaction): void {
    const state = interaction.kind === 'permission' ? 'waiting_permission' : 'waiting_input';
    this.#journal.change(
      this.#taskId,
      { type: 'interaction_opened', data: { interaction_id: interaction.id, title: interaction.request.title } },
      (record) => moveTo(record, { state, phase: state, interaction_id: interaction.id }),
      (tx) => tx.putInteraction(row(this.#taskId, interaction)),
    );
  }

  #close(interaction: Interaction, status: 'resolved' | 'cancelled', response?: Record<string, unknown>): void {
    this.#pending = undefined;
    const closed: Interaction = {
      ...interaction,
      status,
      resolvedAt: this.#journal.now(),
      ...(response && { response }),
    };
    this.#journal.change(
      this.#taskId,
      { type: `interaction_${status}`, data: { interaction_id: interaction.id } },
      (record) =>
        record.status.state === 'waiting_permission' || record.status.state === 'waiting_input'
          ? moveTo(record, { state: 'running', phase: 'working' })
          : record,
      (tx) => tx.putInteraction(row(this.#taskId, closed)),
    );
  }
}

function row(taskId: string, interaction: Interaction) {
  return { taskId, interactionId: interaction.id, status: interaction.status, interaction };
}

export function interactionNotFound(id: string): RemitError {
  return new RemitError(
    'interaction_not_found',
    `There is no open interaction ${JSON.stringify(id)}: inspect the task for the present one.`,
  );
}
