import type { TaskDetail } from '../../app/index.ts';
import { RemitError } from '../../base/index.ts';
import { readApproval } from '../given-approval.ts';

export interface ApprovalWords {
  yes?: boolean;
  approve?: string[];
  revision?: number;
  tree?: string;
}

export interface GivenApproval {
  readonly criteria: readonly string[];
  readonly revision: number;
  readonly tree: string;
}

/** What the person approves: exactly the named criteria, or all; of the named candidate, or of the one that is there now. */
export function approvalOf({ status, contract, review }: TaskDetail, words: ApprovalWords): GivenApproval {
  const { task_id, state, review_revision, review_tree_hash } = status;
  if (state !== 'review_required' || review === undefined || review_revision === undefined || !review_tree_hash) {
    throw new RemitError('invalid_state', `Task ${task_id} is ${state}: finalize needs review_required.`, {
      details: { state },
    });
  }
  const required = review.required_review_criteria;
  const approval = readApproval(words, contract.acceptance_criteria);
  if (approval.kind === 'ask') throw undecided(task_id, contract, required);
  return {
    criteria: approval.kind === 'all' ? required : approval.ids,
    revision: words.revision ?? review_revision,
    tree: words.tree ?? review_tree_hash,
  };
}

function undecided(
  taskId: string,
  { acceptance_criteria }: TaskDetail['contract'],
  required: readonly string[],
): RemitError {
  const lines = acceptance_criteria
    .filter(({ id }) => required.includes(id))
    .map(({ id, requirement }) => `\n  ${id}: ${requirement}`);
  const what = lines.length === 0 ? 'Nothing of it is left to a reviewer.' : `Yours to approve:${lines.join('')}`;
  return new RemitError(
    'invalid_request',
    `Read the candidate (remit task diff ${taskId}), then approve it with --yes, or criterion by criterion with --approve ID. ${what}`,
    { details: { required_review_criteria: [...required] } },
  );
}
