import {
  type Observation,
  observationOf,
  observationReceipt,
  type Receipt,
  receiptSchema,
} from '../../evidence/index.ts';
import { appendReceipts, lastReceipt } from '../receipts.ts';
import type { TaskTools } from '../tools.ts';

/** Of one task. A worker that floods is refused further effects; its work so far can still be judged. */
const MOST_RECEIPTS = 50_000;

/** Of the words of a task's worker, in characters of JSON. */
const MOST_CLAIM_BYTES = 16 * 1024 * 1024;

/** What the host saw of one task, in order, as the gate needs it; every entry is a receipt in the store first. */
export class HostLedger {
  readonly #taskId: string;
  readonly #tools: TaskTools;
  readonly #observations: Observation[] = [];
  /** Of each observation, the number of its receipt. */
  readonly #receipts: number[] = [];
  #claimBytes = 0;

  constructor(taskId: string, tools: TaskTools) {
    this.#taskId = taskId;
    this.#tools = tools;
    for (const { receipt } of tools.store.readReceipts(taskId)) this.#learn(receiptSchema.parse(receipt) as Receipt);
  }

  get observations(): readonly Observation[] {
    return this.#observations;
  }

  get isFull(): boolean {
    return this.#observations.length >= MOST_RECEIPTS || this.#claimBytes >= MOST_CLAIM_BYTES;
  }

  receiptOf(at: number): number {
    return this.#receipts[at] ?? 0;
  }

  /** Durable when it returns. */
  record(observations: readonly Observation[], how: { success?: boolean; how?: string } = {}): void {
    if (observations.length === 0) return;
    const { store, journal } = this.#tools;
    const at = journal.now();
    const before = lastReceipt(this.#taskId, store)?.seq ?? 0;
    const drafts = observations.map((observation) => observationReceipt(observation, { at, ...how }));
    store.transaction((tx) => appendReceipts(tx, store, this.#taskId, drafts));
    for (const [index, observation] of observations.entries()) {
      // A claim that was refused is on record, and the gate would refuse it again.
      this.#keep(observation, before + index + 1);
    }
  }

  #learn(receipt: Receipt): void {
    const observation = observationOf(receipt);
    if (observation !== undefined) this.#keep(observation, receipt.seq);
  }

  #keep(observation: Observation, receipt: number): void {
    this.#observations.push(observation);
    this.#receipts.push(receipt);
    if (observation.kind === 'step' || observation.kind === 'report' || observation.kind === 'todos')
      this.#claimBytes += JSON.stringify(observation).length;
  }
}
