import { z } from 'zod';
import { canonicalJson, sha256 } from '../base/index.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What a receipt is written from: one thing that happened, as its witness saw it. */
const receiptDraftSchema = z.strictObject({
  at: z.string().describe('When it was seen, ISO 8601 UTC.'),
  source: z
    .enum(['host', 'worker'])
    .describe('Who saw it. Only the host’s receipts prove anything; a worker’s are claims.'),
  kind: z
    .enum(['permission', 'read', 'write', 'command', 'assertion', 'approval', 'snapshot', 'step', 'report', 'todos'])
    .describe('What happened.'),
  subject: z.string().max(4096).describe('What it happened to: a path, a command’s id, a tree.'),
  success: z.boolean().describe('Whether it was allowed, passed or done.'),
  facts: z.record(z.string(), z.unknown()).describe('Details of the kind: argv, exit code, digest, clause.'),
});

/** A receipt in a task's ledger; each carries the digest of the one before it. */
export const receiptSchema = receiptDraftSchema.extend({
  seq: z.int().min(1).describe('Place in the ledger, from 1.'),
  previous: digest.describe('Digest of the receipt before it; 64 zeros for the first.'),
  digest: digest.describe('SHA-256 over the canonical JSON of everything else in this receipt.'),
});

export type ReceiptDraft = z.infer<typeof receiptDraftSchema>;
export type Receipt = z.infer<typeof receiptSchema>;

/** The digest before the first receipt. */
export const NO_RECEIPT = '0'.repeat(64);

/** The next receipt of a ledger whose last one is `last`. */
export function appendReceipt(last: Receipt | undefined, draft: ReceiptDraft): Receipt {
  const unsigned = { ...draft, seq: (last?.seq ?? 0) + 1, previous: last?.digest ?? NO_RECEIPT };
  return { ...unsigned, digest: digestOf(unsigned) };
}

/** The place of the first receipt that was changed, lost or put in another order; undefined when the ledger is whole. */
export function findBrokenReceipt(ledger: readonly Receipt[]): number | undefined {
  let previous = NO_RECEIPT;
  for (const [index, receipt] of ledger.entries()) {
    const { digest: claimed, ...unsigned } = receipt;
    if (receipt.seq !== index + 1 || receipt.previous !== previous || digestOf(unsigned) !== claimed) return index + 1;
    previous = claimed;
  }
  return undefined;
}

function digestOf(unsigned: Omit<Receipt, 'digest'>): string {
  return sha256(canonicalJson(unsigned));
}
