import { appendReceipt, type Receipt, type ReceiptDraft } from '../evidence/index.ts';
import type { Store, Transaction } from '../store/index.ts';

/** Adds receipts to a task's ledger, inside the transaction of the change that they belong to. */
export function appendReceipts(tx: Transaction, store: Store, taskId: string, drafts: readonly ReceiptDraft[]): void {
  let last = lastReceipt(taskId, store);
  for (const draft of drafts) {
    last = appendReceipt(last, draft);
    tx.appendReceipt(taskId, last);
  }
}

/** The newest receipt of a task, which seals those before it. */
export function lastReceipt(taskId: string, store: Store): Receipt | undefined {
  return store.readLastReceipt(taskId)?.receipt as Receipt | undefined;
}
