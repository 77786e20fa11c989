import { z } from 'zod';
import { redactDeep, truncateUtf8, visibleLine } from '../base/index.ts';
import { changesOf } from './changes.ts';
import type { DeliveryGate } from './delivery-gate.ts';
import type { Observation } from './observation.ts';
import { sightsOf } from './read-evidence.ts';
import type { ReviewReport } from './review-report.ts';

const MOST_PATHS = 256;
const MOST_FINDINGS = 64;

const findingSchema = z.strictObject({
  summary: z.string().max(1024).describe('What was found.'),
  severity: z.string().max(16).describe('How much it weighs: blocking, high, medium, low or info.').optional(),
  path: z.string().max(1024).describe('The file.').optional(),
  line: z.int().min(1).describe('The line, from 1.').optional(),
});

const reportSchema = z.strictObject({
  kind: z.string().max(16).describe('review, or security: what the change means for security.'),
  verdict: z.string().max(16).describe('pass or warn; work that a report blocks is not shown for review.'),
  findings: z.array(findingSchema.describe('One finding.')).max(MOST_FINDINGS).describe('What was found; at most 64.'),
});

/** The worker's own review of its work, accepted because the host saw what it rests on. Paths are in display form. */
export const workerReviewSchema = z.strictObject({
  reports: z.array(reportSchema.describe('One accepted report.')).max(2).describe('Words of the worker: a claim.'),
  evidence: z
    .array(
      z
        .strictObject({
          path: z.string().max(1024).describe('A changed path.'),
          receipts: z
            .array(z.int().min(1).describe('Number of a receipt in the ledger.'))
            .max(16)
            .describe('Receipts by which the host saw that its present content was looked at.'),
        })
        .describe('One changed path.'),
    )
    .max(MOST_PATHS)
    .describe('What the host saw of each changed path after its latest change; at most 256.'),
  unverified: z.int().min(0).describe('How much evidence of completed steps is only the worker’s word.'),
});

export type WorkerReview = z.output<typeof workerReviewSchema>;

type Ready = Extract<DeliveryGate, { kind: 'ready' }>;

/** What was seen, and of each entry the number of its receipt. */
export interface ReceiptedLedger {
  readonly observations: readonly Observation[];
  receiptOf(at: number): number;
}

/** The reports that let the work through, with the receipts that they rest on. */
export function workerReviewOf(gate: Ready, ledger: ReceiptedLedger, worktree?: string): WorkerReview {
  const { observations } = ledger;
  const sights = sightsOf(observations, worktree);
  const reports = [gate.review, ...(gate.security === undefined ? [] : [gate.security])];
  const paths = changesOf(observations).paths.slice(0, MOST_PATHS);
  return redactDeep({
    reports: reports.map(shownReport),
    evidence: paths.map(({ path, at }) => ({ path: shown(path), receipts: receiptsOf(sights.get(path) ?? [], at) })),
    unverified: gate.unverified,
  }) as WorkerReview;

  /** Of sights since a change; at most sixteen, the newest. */
  function receiptsOf(seen: readonly { readonly at: number }[], since: number): number[] {
    const numbers = seen.filter(({ at }) => at >= since).map(({ at }) => ledger.receiptOf(at));
    return [...new Set(numbers)].slice(-16);
  }
}

function shownReport({ kind, verdict, findings }: ReviewReport): WorkerReview['reports'][number] {
  return {
    kind,
    verdict,
    findings: findings.slice(0, MOST_FINDINGS).map(({ summary, severity, path, line }) => ({
      summary: shown(summary),
      ...(severity !== undefined && { severity }),
      ...(path !== undefined && { path: shown(path) }),
      ...(line !== undefined && { line }),
    })),
  };
}

function shown(text: string): string {
  return truncateUtf8(visibleLine(text), 1024);
}
