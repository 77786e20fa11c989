import type { TaskDetail } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { workerReviewLines } from './describe-worker-review.ts';
import { paragraph, quoted } from './foreign-text.ts';
import { sizeText } from './measures.ts';

/** How the view marks the worker's last words; here the heading says it. */
const MARK = "The worker's claim, not verified: ";

/** The candidate: what the worker claims, what it changed, and what a reviewer must know. */
export function candidateLines({ review, status }: TaskDetail, style: Style, width: number): string[] {
  if (review === undefined) return [];
  const { changed_files, diff_stat, diff_bytes, risks, required_review_criteria } = review;
  const files = changed_files.length === 1 ? '1 file' : `${changed_files.length} files`;
  return [
    style('bold', `Candidate: revision ${status.review_revision}, ${files}, a diff of ${sizeText(diff_bytes)}`),
    `  tree ${status.review_tree_hash}`,
    ...quoted(diff_stat, style, width),
    ...claimLines(review, style, width),
    ...workerReviewLines(review.worker_review, style, width),
    ...(risks.length === 0 ? [] : [style('bold', 'Risks that the host found')]),
    ...risks.map((risk) => paragraph('  - ', risk, width)),
    // Afterwards it would ask for what was given already.
    ...(required_review_criteria.length === 0 || status.state !== 'review_required'
      ? []
      : [paragraph('Yours to approve: ', required_review_criteria.join(', '), width)]),
  ];
}

/** What the worker said before its task was paused: often why, or what it would need to know. */
export function lastWordsLines({ last_words }: TaskDetail, style: Style, width: number): string[] {
  if (last_words === undefined) return [];
  return [style('bold', 'What the worker said last'), ...quoted(last_words, style, width)];
}

export function claimLines(review: TaskDetail['review'], style: Style, width: number): string[] {
  const { summary = '' } = review ?? {};
  const claim = summary.startsWith(MARK) ? summary.slice(MARK.length) : summary;
  return [style('bold', 'What the worker claims; nobody verified it'), ...quoted(claim, style, width)];
}
