import { z } from 'zod';

/** How one criterion of a contract was met, or not. Field names are the wire's. */
export const acceptanceSchema = z.strictObject({
  criterionId: z.string().describe('The criterion’s id in the contract.'),
  evidence: z.enum(['automated', 'review']).describe('What the contract demands for it.'),
  approved: z.boolean().describe('Whether it is met.'),
  source: z.string().describe('What proves it: the ids of verifications and assertions, or the reviewer’s approval.'),
  sha256: z.string().optional().describe('Digest of the proving command’s output, when exactly one proves it.'),
  outputBytes: z.int().min(0).optional().describe('Size of that output in bytes.'),
});

export type Acceptance = z.infer<typeof acceptanceSchema>;

interface Criterion {
  readonly id: string;
  readonly evidence: 'automated' | 'review';
}

/** A verification command or a file assertion, as the host saw it end. */
export interface Proof {
  readonly id: string;
  readonly proves: readonly string[];
  readonly passed: boolean;
  readonly sha256?: string | undefined;
  readonly outputBytes?: number | undefined;
}

export interface BoundAcceptance {
  readonly rows: readonly Acceptance[];
  /** Ids of criteria that are not met. */
  readonly missing: readonly string[];
}

/**
 * An automated criterion is met when something claims to prove it and everything that does passed; a criterion of the
 * review when the reviewer named it. Approving an automated one means nothing.
 */
export function bindAcceptance(
  criteria: readonly Criterion[],
  proofs: readonly Proof[],
  approvedIds: readonly string[],
): BoundAcceptance {
  const rows = criteria.map((criterion) =>
    criterion.evidence === 'review' ? bindReview(criterion, approvedIds) : bindProofs(criterion, proofs),
  );
  return { rows, missing: rows.filter(({ approved }) => !approved).map(({ criterionId }) => criterionId) };
}

function bindReview(criterion: Criterion, approvedIds: readonly string[]): Acceptance {
  const approved = approvedIds.includes(criterion.id);
  return { criterionId: criterion.id, evidence: 'review', approved, source: approved ? 'approval' : 'none' };
}

function bindProofs(criterion: Criterion, proofs: readonly Proof[]): Acceptance {
  const proving = proofs.filter(({ proves }) => proves.includes(criterion.id));
  const [only, ...others] = proving;
  const output =
    others.length === 0 && only?.sha256 !== undefined ? { sha256: only.sha256, outputBytes: only.outputBytes } : {};
  return {
    criterionId: criterion.id,
    evidence: 'automated',
    approved: proving.length > 0 && proving.every(({ passed }) => passed),
    source: proving.map(({ id }) => id).join(', ') || 'none',
    ...output,
  };
}
