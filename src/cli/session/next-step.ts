import type { TaskDetail } from '../../app/index.ts';
import type { Approval } from '../given-approval.ts';
import type { Done, Manner } from './manner.ts';

type Interaction = TaskDetail['interactions'][number];

/** What a session does next about a task as it stands. */
export type Step =
  | { readonly do: 'watch' }
  | { readonly do: 'ask_answer'; readonly interaction: Interaction }
  | { readonly do: 'ask_pause' }
  | { readonly do: 'ask_review' }
  | { readonly do: 'resume' }
  | { readonly do: 'finalize'; readonly approved: readonly string[] }
  | { readonly do: 'end'; readonly ending: Ending };

/** Why a session is at its end. */
export type Ending =
  | { readonly kind: 'over' }
  | { readonly kind: 'waits' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'review_needed'; readonly missing: readonly string[] }
  | { readonly kind: 'refused' };

/** Value to value, so that every way of a session is a row of a table. */
export function nextStep(detail: TaskDetail, manner: Manner, done: Done): Step {
  const { state } = detail.status;
  switch (state) {
    case 'provisioning':
    case 'running':
    case 'verifying':
      return { do: 'watch' };
    case 'waiting_permission':
    case 'waiting_input':
      return aboutQuestion(detail, manner);
    case 'paused':
      if (manner.resumes && !done.resumed) return { do: 'resume' };
      return manner.asks ? { do: 'ask_pause' } : end({ kind: 'paused' });
    case 'review_required':
      return aboutReview(detail, manner, done);
    case 'completed':
    case 'commit_failed':
    case 'failed':
    case 'cancelled':
    case 'closed':
      return end({ kind: 'over' });
  }
}

function aboutQuestion({ interactions }: TaskDetail, { asks }: Manner): Step {
  const interaction = interactions.find(({ status }) => status === 'pending');
  // It was settled at this moment, and the state follows.
  if (interaction === undefined) return { do: 'watch' };
  return asks ? { do: 'ask_answer', interaction } : end({ kind: 'waits' });
}

function aboutReview({ review }: TaskDetail, { asks, approval }: Manner, { finalized }: Done): Step {
  if (asks) return { do: 'ask_review' };
  // With the same approval it would end the same way.
  if (finalized) return end({ kind: 'refused' });
  const required = review?.required_review_criteria ?? [];
  const missing = missingApprovals(approval, required);
  if (approval.kind === 'ask' || missing.length > 0) return end({ kind: 'review_needed', missing });
  return { do: 'finalize', approved: required };
}

/** Criteria that the command line should have approved and did not; none where it approves nothing at all. */
function missingApprovals(approval: Approval, required: readonly string[]): string[] {
  return approval.kind === 'listed' ? required.filter((id) => !approval.ids.includes(id)) : [];
}

function end(ending: Ending): Step {
  return { do: 'end', ending };
}

/** A person who leaves a task ends as a session does that may not ask. */
export function leftAt({ status }: TaskDetail): Ending {
  switch (status.state) {
    case 'paused':
      return { kind: 'paused' };
    case 'review_required':
      return status.phase === 'review_ready' ? { kind: 'review_needed', missing: [] } : { kind: 'refused' };
    default:
      return { kind: 'waits' };
  }
}
