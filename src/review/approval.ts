import { RemitError } from '../base/index.ts';
import { parseStoredContract, type TaskContractV1 } from '../contract/index.ts';
import { type Approval, type StatusOf, type TaskRecord, wrongState } from '../task/index.ts';

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
    commit_message: commitMessage(record, contract, request.commitMessage),
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

const SUBJECT_LENGTH = 72;

/** Git reads no trailer behind this line (`cut_line` of its wt-status.c), so the commit's evidence would not be found. */
const SCISSORS = /^\S+ -{24} >8 -{24}[ \t]*\r?$/m;

function commitMessage(record: TaskRecord, contract: TaskContractV1, given: string | undefined): string {
  if (given === undefined) return defaultMessage(record.task_id, contract.objective);
  if (given.includes('\0') || !given.isWellFormed())
    throw new RemitError('invalid_request', 'commit_message holds a NUL or half a character, which Git cannot store.');
  if (given.trim() === '')
    throw new RemitError('invalid_request', 'commit_message is blank: leave it out for the default, or give one.');
  if (SCISSORS.test(given))
    throw new RemitError(
      'invalid_request',
      'commit_message holds a scissors line ("# --- >8 ---"), behind which Git finds no trailers: leave that line out.',
    );
  return given;
}

/** Task id and objective; a long objective continues in the body. */
function defaultMessage(taskId: string, objective: string): string {
  const words = `${taskId}: ${objective.trim().replace(/\s+/g, ' ')}`;
  if (words.length <= SUBJECT_LENGTH) return words;
  const cut = words.lastIndexOf(' ', SUBJECT_LENGTH - 1);
  const subject = words.slice(0, cut > taskId.length + 1 ? cut : SUBJECT_LENGTH - 1);
  return `${subject}…\n\n${objective.trim()}`;
}
