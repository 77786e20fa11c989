import { RemitError } from '../base/index.ts';
import { parseStoredContract, type TaskContractV1 } from '../contract/index.ts';
import { type Approval, type StatusOf, type TaskRecord, wrongState } from '../task/index.ts';
import { commitMessage } from './commit-message.ts';

/** A reviewer's approval as it comes in: it must echo exactly what was shown. */
export interface ApprovalRequest {
  readonly reviewSummary: string;
  readonly approvedCriteria: readonly string[];
  readonly expectedRevision: number;
  readonly expectedTree: string;
  readonly commitMessage: string | undefined;
}

export function requiredReviewCriteria(contract: TaskContractV1): string[] {
  return contract.acceptance_criteria.filter(({ evidence }) => evidence === 'review').map(({ id }) => id);
}

/** Binds an approval to the one candidate it was given for; anything stale, missing or foreign is refused. */
export function bindApproval(record: TaskRecord, request: ApprovalRequest, now: string): Approval {
  const { review } = requireReview(record);
  if (request.expectedRevision !== review.revision || request.expectedTree !== review.tree) {
    throw new RemitError(
      'invalid_request',
      `The approval is for revision ${request.expectedRevision}, tree ${request.expectedTree}; at review is revision ${review.revision}, tree ${review.tree}. Review that one and echo its tokens.`,
      { details: { review_revision: review.revision, review_tree_hash: review.tree } },
    );
  }
  const contract = parseStoredContract(record.contract);
  requireCriteria(contract, request.approvedCriteria);
  return {
    revision: review.revision,
    tree: review.tree,
    summary: request.reviewSummary,
    approved_criteria: [...new Set(request.approvedCriteria)],
    commit_message: commitMessage(record.task_id, contract.objective, request.commitMessage),
    approved_at: now,
  };
}

export function requireReview(record: TaskRecord): StatusOf<'review_required'> {
  if (record.status.state !== 'review_required') throw wrongState(record, 'finalize', 'review_required');
  return record.status;
}

function requireCriteria(contract: TaskContractV1, approved: readonly string[]): void {
  const required = requiredReviewCriteria(contract);
  const known = new Set(contract.acceptance_criteria.map(({ id }) => id));
  const foreign = approved.filter((id) => !known.has(id));
  const missing = required.filter((id) => !approved.includes(id));
  if (foreign.length === 0 && missing.length === 0) return;
  const problem =
    foreign.length > 0
      ? `are no criteria of this contract: ${foreign.join(', ')}`
      : `are not approved: ${missing.join(', ')}`;
  throw new RemitError(
    'invalid_request',
    `In approved_review_criteria, these ${problem}. Required are exactly: ${required.join(', ') || 'none'}.`,
    {
      details: { required_review_criteria: required, missing, unknown: foreign },
    },
  );
}
