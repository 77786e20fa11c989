import { truncateUtf8, visibleLine, visibleText } from '../base/index.ts';
import { parseStoredContract } from '../contract/index.ts';
import { requiredReviewCriteria } from '../review/index.ts';
import {
  describeCollision,
  type Interaction,
  type Review,
  type SourceCollision,
  type TaskRecord,
} from '../task/index.ts';
import type { ReviewBundle, TaskView } from './wire-schemas.ts';

const MAX_SUMMARY_BYTES = 4_096;
const MAX_DIFF_BYTES = 12_288;
const MAX_DIFF_STAT_BYTES = 4_096;
const MAX_FILES = 256;
const MAX_RISKS = 128;
const MAX_RISK_BYTES = 2_048;
const MAX_PATH_BYTES = 1_024;

/** A task as every face shows it. */
export function viewTask(record: TaskRecord): TaskView {
  const { status, session } = record;
  const review = reviewOf(record);
  return {
    task_id: record.task_id,
    state: status.state,
    phase: status.phase,
    contract_hash: record.contract_hash,
    repository_id: record.repository.id,
    branch: record.branch,
    worktree: record.worktree,
    worker_lane: record.worker_lane,
    requested_reasoning_effort: record.requested_reasoning_effort,
    effective_reasoning_effort: knownEffort(session?.effort) ?? record.requested_reasoning_effort,
    execution_timeout_seconds: record.execution_timeout_seconds,
    source_checkout_integrated: false,
    repair_rounds: record.repair_rounds,
    updated_at: record.updated_at,
    ...(session && { session_id: session.id }),
    ...(session?.work_mode !== undefined && { reasonix_work_mode: session.work_mode }),
    ...(session?.mode !== undefined && { reasonix_session_mode: session.mode }),
    ...(review && { review_revision: review.revision, review_tree_hash: review.tree }),
    ...(record.pause_revision > 0 && { pause_revision: record.pause_revision }),
    ...(status.state === 'paused' && { pause_reason_hash: status.reason_hash, resume_required: true }),
    ...reasonOf(record),
    ...(status.state === 'completed' && {
      commit_hash: status.commit,
      integration_command: `git cherry-pick ${status.commit}`,
    }),
    ...(collisionOf(record) && { source_collision: collisionOf(record) }),
  };
}

function knownEffort(effort: string | undefined): TaskView['effective_reasoning_effort'] | undefined {
  const known = ['minimal', 'low', 'medium', 'high', 'max'] as const;
  return known.find((name) => name === effort);
}

/** The candidate that the task's state is about, when there is one. */
export function reviewOf(record: TaskRecord): Review | undefined {
  return 'review' in record.status ? record.status.review : undefined;
}

function collisionOf(record: TaskRecord): SourceCollision | undefined {
  return 'collision' in record.status ? record.status.collision : undefined;
}

function reasonOf(record: TaskRecord): { reason?: string } {
  const { status } = record;
  if ('reason' in status) return { reason: visibleText(status.reason) };
  if (status.state !== 'review_required') return {};
  if (status.problem) return { reason: visibleText(status.problem.message) };
  return status.collision ? { reason: visibleText(describeCollision(status.collision)) } : {};
}

/** What a reviewer is shown at once, bounded; the rest is for inspect. The diff comes escaped, its digest over the raw bytes. */
export function viewBundle(record: TaskRecord, review: Review, diff: Buffer): ReviewBundle {
  const shownDiff = visibleText(diff.toString('utf8'));
  const cutDiff = truncateUtf8(shownDiff, MAX_DIFF_BYTES);
  const cutFiles = review.changed_files.length > MAX_FILES;
  return {
    summary: viewSummary(review),
    changed_files: review.changed_files.slice(0, MAX_FILES).map((path) => truncateUtf8(path, MAX_PATH_BYTES)),
    diff_stat: truncateUtf8(visibleText(review.diff_stat), MAX_DIFF_STAT_BYTES),
    diff: cutDiff,
    risks: viewRisks(review),
    ...(record.usage && { usage: record.usage }),
    required_review_criteria: requiredReviewCriteria(parseStoredContract(record.contract)),
    review_revision: review.revision,
    review_tree_hash: review.tree,
    review_diff_sha256: review.diff_sha256,
    ...((cutFiles || cutDiff.length < shownDiff.length) && { inspect_required: true }),
  };
}

/** The worker's last words, marked as what they are. */
export function viewSummary(review: Review): string {
  if (review.summary.trim() === '') return 'The worker said nothing at the end.';
  return truncateUtf8(`The worker's claim, not verified: ${visibleText(review.summary)}`, MAX_SUMMARY_BYTES);
}

export function viewRisks(review: Review): string[] {
  return review.risks.slice(0, MAX_RISKS).map((risk) => truncateUtf8(visibleLine(risk), MAX_RISK_BYTES));
}

/** The question that the worker waits for, when there is one. */
export function activeInteraction(interactions: readonly Interaction[]): Interaction | undefined {
  return interactions.find(({ status }) => status === 'pending');
}
