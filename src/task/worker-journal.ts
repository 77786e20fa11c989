import type { ReceiptDraft } from '../evidence/index.ts';
import type { WorkerEvent } from '../worker/index.ts';
import type { Journal } from './journal.ts';

/** Events of one worker process that are kept one by one; a flood beyond is counted, not stored. */
const MAX_EVENTS = 2_000;

/** Decisions of one prompt that become receipts, whatever else it floods with. */
const MAX_RECEIPTS = 10_000;

/** Writes what a worker reports into the task's events, without letting a talkative one fill the store. */
export class WorkerJournal {
  readonly #taskId: string;
  readonly #journal: Journal;
  #receipts: ReceiptDraft[] = [];
  #kept = 0;
  #dropped = 0;

  constructor(taskId: string, journal: Journal) {
    this.#taskId = taskId;
    this.#journal = journal;
  }

  record(event: WorkerEvent): void {
    if (event.type === 'message' || event.type === 'usage') return;
    if (event.type === 'decision' && this.#receipts.length < MAX_RECEIPTS) {
      this.#receipts.push(decisionReceipt(event, this.#journal.now()));
    }
    if (this.#kept >= MAX_EVENTS) {
      this.#dropped += 1;
      if (this.#dropped === 1) {
        this.#journal.note(this.#taskId, { type: 'worker_events_limited', data: { kept: MAX_EVENTS } });
      }
      return;
    }
    this.#kept += 1;
    const { type, ...data } = event;
    this.#journal.note(this.#taskId, { type: `worker_${type}`, data });
  }

  /** The receipts since the last time, for the ledger. */
  takeReceipts(): ReceiptDraft[] {
    const taken = this.#receipts;
    this.#receipts = [];
    return taken;
  }
}

function decisionReceipt(event: Extract<WorkerEvent, { type: 'decision' }>, at: string): ReceiptDraft {
  return {
    at,
    source: 'host',
    kind: 'permission',
    subject: event.action.slice(0, 1_000),
    success: event.decision === 'allow',
    facts: { decision: event.decision, clause: event.clause },
  };
}
