/**
 * What was seen, and what it proves: receipts in a sealed ledger, acceptance of criteria, the evidence document of a
 * commit; and of a worker's observations whether its review covers what it changed and its work may be handed over.
 * Promises: pure; a criterion never counts without its proof, a path never as reviewed without a sight of its latest
 * change; any change to a ledger is found. Refuses: claims; a worker's words and receipts are kept as such and satisfy
 * nothing, and a command whose output it does not understand for certain shows nothing.
 */
export { type Acceptance, acceptanceSchema, type BoundAcceptance, bindAcceptance, type Proof } from './acceptance.ts';
export { compareTexts } from './changed-lines.ts';
export { type Change, type Changes, changesOf } from './changes.ts';
export {
  type CompleteStep,
  completeStepSchema,
  judgeCompleteStep,
  type StepProblem,
  type StepVerdict,
} from './complete-step.ts';
export {
  type DeliveryGate,
  type DeliveryRequirements,
  deliveryGate,
  type GateInput,
  type RequiredCommand,
} from './delivery-gate.ts';
export { type EvidenceDocument, evidenceDocumentSchema, sealEvidence } from './document.ts';
export { type LineRange, lineRangeSchema } from './line-ranges.ts';
export { type Observation, observationSchema, type WriteObservation } from './observation.ts';
export { observationOf, observationReceipt } from './observation-receipt.ts';
export {
  appendReceipt,
  findBrokenReceipt,
  NO_RECEIPT,
  type Receipt,
  type ReceiptDraft,
  receiptSchema,
} from './receipt.ts';
export { repositoryPath, type Standpoint } from './repository-path.ts';
export {
  type Gap,
  judgeReviewReport,
  type ReportVerdict,
  type ReviewReport,
  reviewReportSchema,
} from './review-report.ts';
export { SECURITY_TOPICS, type SecurityTopic, securityTopics } from './security-paths.ts';
export { isKnown, type Standing } from './standing.ts';
export { type Todo, todoSchema } from './todos.ts';
export type { ToolCall } from './tool-calls.ts';
export { type WorkerReview, workerReviewOf, workerReviewSchema } from './worker-review.ts';
export { fileDeleted, fileMoved, fileRewritten, fileWritten } from './write-observation.ts';
