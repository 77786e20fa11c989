import { z } from 'zod';
import { canonicalJson, sha256 } from '../base/index.ts';
import { acceptanceSchema } from './acceptance.ts';
import { workerReviewSchema } from './worker-review.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const objectId = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);

/** Everything that speaks for one commit, in one document whose digest stands in the commit's `Remit-Evidence` trailer. */
export const evidenceDocumentSchema = z.strictObject({
  version: z.literal(1).describe('Version of this document’s shape.'),
  task_id: z.string().describe('The task.'),
  contract_sha256: digest.describe('Hash of the canonical contract.'),
  base_commit: objectId.describe('The commit’s parent.'),
  tree: objectId.describe('The tree that was reviewed, verified and committed.'),
  diff_sha256: digest.describe('Digest of the diff between base and tree.'),
  review_revision: z.int().min(1).describe('Which candidate of the task this is, from 1.'),
  approval: z
    .strictObject({
      summary: z.string().describe('The reviewer’s words.'),
      approved_criteria: z.array(z.string()).describe('Criteria that the reviewer approved.'),
      approved_at: z.string().describe('When, ISO 8601 UTC.'),
    })
    .describe('The approval, bound to exactly this revision and tree.'),
  verification: z
    .array(
      z.strictObject({
        id: z.string().describe('The command’s id in the contract.'),
        argv: z.array(z.string()).describe('The command.'),
        cwd: z.string().describe('Where it ran, relative to the repository.'),
        exit_code: z.int().nullable().describe('Exit code; null when it ended otherwise.'),
        passed: z.boolean().describe('Whether it counts as passed.'),
        output_sha256: digest.describe('Digest of all its output.'),
        output_bytes: z.int().min(0).describe('Size of all its output.'),
      }),
    )
    .describe('The contract’s commands, run by the host on a checkout of exactly the tree.'),
  file_assertions: z
    .array(
      z.strictObject({
        id: z.string().describe('The assertion’s id in the contract.'),
        path: z.string().describe('The file.'),
        passed: z.boolean().describe('Whether its blob is exactly what was expected.'),
        sha256: digest.optional().describe('Digest of the blob; absent when there is none.'),
      }),
    )
    .describe('The contract’s file assertions, compared with the tree’s blobs.'),
  acceptance: z.array(acceptanceSchema).describe('Each criterion with what proves it.'),
  sandbox: z
    .strictObject({
      engine: z.string().describe('What confined worker and verification.'),
      confined: z.boolean().describe('False when the operator switched confinement off.'),
    })
    .describe('Confinement.'),
  worker: z
    .strictObject({
      name: z.string().describe('The worker’s name in the configuration.'),
      agent_name: z.string().optional().describe('What the agent calls itself.'),
      agent_version: z.string().optional().describe('Its version.'),
      claim: z.string().describe('Its last words: a claim that proves nothing.'),
      review: workerReviewSchema
        .optional()
        .describe(
          'Its own review, accepted because the host saw what it rests on; of a worker that works through the host.',
        ),
    })
    .describe('Who made the change.'),
  receipts: z
    .strictObject({
      count: z.int().min(0).describe('How many receipts the host has of this task.'),
      head: digest.describe('Digest of the last one, which seals those before it.'),
    })
    .describe('The ledger of what the host saw.'),
});

export type EvidenceDocument = z.infer<typeof evidenceDocumentSchema>;

/** Checks a document's shape and gives it with the digest of its canonical JSON (RFC 8785). */
export function sealEvidence(document: EvidenceDocument): { document: EvidenceDocument; text: string; hash: string } {
  const checked = evidenceDocumentSchema.parse(document);
  const text = canonicalJson(checked);
  return { document: checked, text, hash: sha256(text) };
}
