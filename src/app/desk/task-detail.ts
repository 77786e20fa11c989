import { z } from 'zod';
import { visibleText } from '../../base/index.ts';
import { contractInputSchema, parseStoredContract } from '../../contract/index.ts';
import { acceptanceSchema } from '../../evidence/index.ts';
import { acceptanceRows, readChecks, requiredReviewCriteria } from '../../review/index.ts';
import type { HostRooms } from '../rooms.ts';
import { readInteractions } from '../task-answer.ts';
import { reviewOf, viewRisks, viewSummary, viewTask } from '../task-view.ts';
import { verificationRowSchema } from '../wire/inspect.ts';
import { interactionWireSchema } from '../wire/interaction.ts';
import { reviewBundleShape } from '../wire/review-bundle.ts';
import { taskViewSchema } from '../wire/task-view.ts';
import { count, criterionId, someText } from '../wire/words.ts';

/** Everything that is known of one task but its diff, its events and its receipts. */
export const taskDetailSchema = z.strictObject({
  status: taskViewSchema.describe('The task as every tool shows it.'),
  contract: contractInputSchema.describe('The contract in its canonical form; docs/contract.md.'),
  repository: someText.describe('Root of the repository that it was delegated in.'),
  base_commit: someText.describe('The commit that it was made from.'),
  worker: someText.describe('Name of its worker in the configuration.'),
  agent: someText.describe('What the worker calls itself, with its version.').optional(),
  created_at: someText.describe('When it was delegated, ISO 8601 in UTC.'),
  review: z
    .strictObject({
      summary: someText.describe("The worker's last words: a claim that nobody verified."),
      changed_files: z.array(z.string()).describe('Every file that the candidate changes.'),
      diff_stat: z.string().describe('Lines added and removed by file.'),
      diff_bytes: count.describe('Size of the whole diff, in bytes.'),
      risks: z.array(z.string()).describe('What the host found that a reviewer must know.'),
      worker_review: reviewBundleShape.worker_review,
      required_review_criteria: z.array(criterionId).describe('Criteria that the reviewer must approve.'),
    })
    .describe('The candidate that waits for review, was verified, or was committed.')
    .optional(),
  last_words: someText
    .describe("The worker's last words before the task was paused: a claim that nobody verified.")
    .optional(),
  acceptance_evidence: z.array(acceptanceSchema).describe('Which criteria are met so far, and by what.'),
  verification: z
    .array(verificationRowSchema)
    .describe('What the host ran itself on this candidate, and how it ended.'),
  usage: reviewBundleShape.usage,
  interactions: z.array(interactionWireSchema).describe('Questions of the worker, open and settled.'),
});

export type TaskDetail = z.output<typeof taskDetailSchema>;

export function showTask(rooms: HostRooms, taskId: string): TaskDetail {
  const record = rooms.journal.read(taskId);
  const contract = parseStoredContract(record.contract);
  const review = reviewOf(record);
  const { agent_name, agent_version } = record.session ?? {};
  const lastWords = record.status.state === 'paused' ? readLastWords(rooms, taskId) : '';
  return {
    status: viewTask(record),
    contract,
    repository: record.repository.root,
    base_commit: record.base_commit,
    worker: record.worker,
    ...(agent_name !== undefined && { agent: [agent_name, agent_version].filter(Boolean).join(' ') }),
    created_at: record.created_at,
    ...(review && {
      review: {
        summary: viewSummary(review),
        changed_files: review.changed_files,
        diff_stat: review.diff_stat,
        diff_bytes: review.diff_bytes,
        risks: viewRisks(review),
        ...(review.worker_review && { worker_review: review.worker_review }),
        required_review_criteria: requiredReviewCriteria(contract),
      },
    }),
    ...(lastWords !== '' && { last_words: lastWords }),
    acceptance_evidence: acceptanceRows(record, rooms.store),
    verification: readChecks(record, rooms.store),
    ...(record.usage && { usage: record.usage }),
    interactions: readInteractions(rooms, taskId),
  };
}

/** Of the turn that led to where the task stands: one that was cut off has none. */
function readLastWords({ store }: HostRooms, taskId: string): string {
  const last = store.readLastEvent(taskId, ['prompt_begun', 'turn_ended']);
  const { claim } = (last?.data ?? {}) as { claim?: unknown };
  return typeof claim === 'string' ? visibleText(claim.trim()) : '';
}
