/** What a reviewer is shown at once; every member is bounded, the rest is for inspect. */
import { z } from 'zod';
import { workerReviewSchema } from '../../evidence/index.ts';
import { usageSchema } from '../../worker/index.ts';
import { interactionWireSchema } from './interaction.ts';
import { count, criterionId, sha256Hex, treeHash } from './words.ts';

export const reviewBundleShape = {
  inspect_required: z
    .boolean()
    .describe('True when something below was cut: read the rest with reasonix_inspect.')
    .optional(),
  summary: z.string().max(4096).describe("The worker's last words: a claim that nobody verified.").optional(),
  changed_files: z
    .array(z.string().max(1024).describe('A path, relative to the root of the repository.'))
    .max(256)
    .describe('Files that the candidate changes; at most 256 here.')
    .optional(),
  diff_stat: z.string().max(4096).describe('Lines added and removed by file.').optional(),
  diff: z.string().max(12_288).describe('The diff against the base; at most 12 KiB here.').optional(),
  risks: z
    .array(z.string().max(2048).describe('One risk.'))
    .max(128)
    .describe('What the host found that a reviewer must know, for example what was left out and why.')
    .optional(),
  worker_review: workerReviewSchema
    .describe(
      "The worker's own review of its work, accepted because the host saw what it rests on; only of a worker that works through the host.",
    )
    .optional(),
  usage: usageSchema.describe('Tokens and cost as the worker reports them.').optional(),
  active_interaction: interactionWireSchema
    .describe('What the worker waits for: answer with action respond.')
    .optional(),
  required_review_criteria: z
    .array(criterionId.describe('Id of an acceptance criterion.'))
    .max(1000)
    .describe('Criteria that you must approve at finalize, each after checking it yourself.')
    .optional(),
  review_diff_sha256: sha256Hex.describe('SHA-256 of the whole diff, in its raw bytes.').optional(),
};

const boundToReview = {
  review_revision: count.optional(),
  review_tree_hash: treeHash.optional(),
};

const reviewBundleSchema = z.strictObject({ ...reviewBundleShape, ...boundToReview });

export type ReviewBundle = z.output<typeof reviewBundleSchema>;
