import { z } from 'zod';
import {
  acceptanceSchema,
  evidenceDocumentSchema,
  findBrokenReceipt,
  type Receipt,
  receiptSchema,
} from '../../evidence/index.ts';
import { acceptanceRows, readEvidence } from '../../review/index.ts';
import type { TaskRecord } from '../../task/index.ts';
import type { HostRooms } from '../rooms.ts';
import { sha256Hex } from '../wire/words.ts';

/** What speaks for a task. Everything here is what the host saw, but the worker's claim, which is named so. */
export const taskEvidenceSchema = z.strictObject({
  document: evidenceDocumentSchema
    .describe('What the commit rests on; its canonical JSON has the digest of the trailer Remit-Evidence.')
    .optional(),
  document_sha256: sha256Hex.describe('Digest of that canonical JSON (RFC 8785); only when committed.').optional(),
  acceptance: z.array(acceptanceSchema).describe('Each criterion with what proves it so far.'),
  receipts: z.array(receiptSchema).describe('The ledger of what the host saw, in order.'),
  ledger_intact: z.boolean().describe('Whether the digests of the ledger chain without a break.'),
});

export type TaskEvidence = z.output<typeof taskEvidenceSchema>;

export async function showEvidence(rooms: HostRooms, taskId: string): Promise<TaskEvidence> {
  const record = rooms.journal.read(taskId);
  const receipts = rooms.store.readReceipts(taskId).map(({ receipt }) => receiptSchema.parse(receipt) as Receipt);
  return {
    ...(await sealedDocument(rooms, record)),
    acceptance: acceptanceRows(record, rooms.store),
    receipts,
    ledger_intact: findBrokenReceipt(receipts) === undefined,
  };
}

async function sealedDocument(
  rooms: HostRooms,
  record: TaskRecord,
): Promise<Pick<TaskEvidence, 'document' | 'document_sha256'>> {
  if (record.status.state !== 'completed') return {};
  const { document, hash } = await readEvidence(record.task_id, rooms.places);
  return { document, document_sha256: hash };
}
