/**
 * What the host saw, and what it proves: receipts in a sealed ledger, acceptance of criteria, the evidence document of a
 * commit. Promises: pure; a criterion never counts without its proof; any change to a ledger is found. Refuses: claims;
 * a worker's words and receipts are kept as such and satisfy nothing.
 */
export { type Acceptance, acceptanceSchema, type BoundAcceptance, bindAcceptance, type Proof } from './acceptance.ts';
export { type EvidenceDocument, evidenceDocumentSchema, sealEvidence } from './document.ts';
export {
  appendReceipt,
  findBrokenReceipt,
  NO_RECEIPT,
  type Receipt,
  type ReceiptDraft,
  receiptSchema,
} from './receipt.ts';
