import { truncateUtf8, visibleLine, visibleText } from '../base/index.ts';
import { parseStoredContract } from '../contract/index.ts';
import type { WorkerReview } from '../evidence/index.ts';
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
/** So many texts, so many bytes each, so many together: a few hundred long names alone would fill an answer. */
const FILES = { count: 256, bytesEach: 1_024, bytesTogether: 12_288 };
const FINDINGS = { count: 64, bytesTogether: 8_192 };
const SEEN_PATHS = { count: 128, bytesTogether: 8_192 };
const RISKS = { count: 128, bytesEach: 2_048, bytesTogether: 12_288 };

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

/** How much of a diff `viewBundle` can use, in bytes of its beginning: escapes only lengthen it, and the last character may be cut. */
export const BUNDLE_DIFF_BYTES = MAX_DIFF_BYTES + 4;

/**
 * What a reviewer is shown at once, bounded; the rest is for inspect. Of the diff its beginning is enough; it comes
 * escaped, its digest over all the raw bytes.
 */
export function viewBundle(record: TaskRecord, review: Review, diff: Buffer): ReviewBundle {
  const cut = new Cut();
  const diffStart = diff.subarray(0, BUNDLE_DIFF_BYTES);
  return {
    summary: cut.text(viewSummary(review), MAX_SUMMARY_BYTES),
    changed_files: cut.list(review.changed_files, FILES),
    diff_stat: cut.text(visibleText(review.diff_stat), MAX_DIFF_STAT_BYTES),
    diff: cut.text(visibleText(diffStart.toString('utf8')), MAX_DIFF_BYTES),
    risks: cut.list(viewRisks(review), RISKS),
    ...(review.worker_review && { worker_review: viewWorkerReview(review.worker_review, cut) }),
    ...(record.usage && { usage: record.usage }),
    required_review_criteria: requiredReviewCriteria(parseStoredContract(record.contract)),
    review_revision: review.revision,
    review_tree_hash: review.tree,
    review_diff_sha256: review.diff_sha256,
    ...((cut.happened || review.diff_bytes > diffStart.length) && { inspect_required: true }),
  };
}

/** Findings first: they are what a reviewer must read. */
function viewWorkerReview({ reports, evidence, unverified }: WorkerReview, cut: Cut): WorkerReview {
  return {
    reports: reports.map((report) => ({ ...report, findings: cut.items(report.findings, FINDINGS) })),
    evidence: cut.items(evidence, SEEN_PATHS),
    unverified,
  };
}

/** Cuts what is too long, and remembers that it did. */
class Cut {
  happened = false;

  text(text: string, maxBytes: number): string {
    const shown = truncateUtf8(text, maxBytes);
    if (shown !== text) this.happened = true;
    return shown;
  }

  items<T>(items: readonly T[], limit: { count: number; bytesTogether: number }): T[] {
    const shown: T[] = [];
    let left = limit.bytesTogether;
    for (const item of items.slice(0, limit.count)) {
      left -= Buffer.byteLength(JSON.stringify(item));
      if (left < 0) break;
      shown.push(item);
    }
    if (shown.length < items.length) this.happened = true;
    return shown;
  }

  list(texts: readonly string[], limit: { count: number; bytesEach: number; bytesTogether: number }): string[] {
    const shown: string[] = [];
    let left = limit.bytesTogether;
    for (const text of texts.slice(0, limit.count)) {
      const item = this.text(text, limit.bytesEach);
      left -= Buffer.byteLength(item);
      if (left < 0) break;
      shown.push(item);
    }
    if (shown.length < texts.length) this.happened = true;
    return shown;
  }
}

/** The worker's last words, marked as what they are. */
export function viewSummary(review: Review): string {
  if (review.summary.trim() === '') return 'The worker said nothing at the end.';
  return `The worker's claim, not verified: ${visibleText(review.summary)}`;
}

export function viewRisks(review: Review): string[] {
  return review.risks.map(visibleLine);
}

/** The question that the worker waits for, when there is one. */
export function activeInteraction(interactions: readonly Interaction[]): Interaction | undefined {
  return interactions.find(({ status }) => status === 'pending');
}
