import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseStoredContract } from '../contract/index.ts';
import {
  type Acceptance,
  type BoundAcceptance,
  bindAcceptance,
  NO_RECEIPT,
  type ReceiptDraft,
  sealEvidence,
} from '../evidence/index.ts';
import type { Store } from '../store/index.ts';
import {
  appendReceipts,
  lastReceipt,
  type Review,
  type StatusOf,
  type TaskPlaces,
  type TaskRecord,
  type TaskTools,
  wrongState,
} from '../task/index.ts';
import type { CheckResult } from './run-check.ts';
import type { AssertionResult, Verification } from './verification.ts';

/** One row of the store for everything that one verification gave. */
interface StoredResult {
  readonly checks: readonly CheckResult[];
  readonly assertions: readonly AssertionResult[];
}

/** Stores what a verification gave, with a receipt for each thing that the host saw. */
export function recordVerification(
  record: TaskRecord,
  review: Review,
  verification: Verification,
  tools: TaskTools,
): void {
  const { checks, assertions } = verification;
  tools.store.transaction((tx) => {
    tx.appendVerification(record.task_id, { revision: review.revision, result: { checks, assertions } });
    appendReceipts(tx, tools.store, record.task_id, [
      approvalReceipt(record),
      ...checks.map(checkReceipt),
      ...assertions.map((result) => assertionReceipt(result, tools)),
    ]);
  });
}

/** Criteria with what proves them, from a verification that just ran. */
export function acceptance(
  record: TaskRecord,
  verification: StoredResult,
  approved: readonly string[],
): BoundAcceptance {
  const { acceptance_criteria } = parseStoredContract(record.contract);
  return bindAcceptance(acceptance_criteria, [...verification.checks, ...verification.assertions], approved);
}

/** The commands of the latest verification; none before the first. */
export function readChecks(record: TaskRecord, store: Store): CheckResult[] {
  return [...(latestResult(record, store)?.checks ?? [])];
}

/** Criteria as far as they are proven and approved now. */
export function acceptanceRows(record: TaskRecord, store: Store): Acceptance[] {
  const approved = 'approval' in record.status ? record.status.approval.approved_criteria : [];
  return [...acceptance(record, latestResult(record, store) ?? { checks: [], assertions: [] }, approved).rows];
}

/** Proof is bound to a tree: what an earlier candidate's verification gave says nothing of this one. */
function latestResult(record: TaskRecord, store: Store): StoredResult | undefined {
  const revision = 'review' in record.status ? record.status.review.revision : undefined;
  return store.readVerifications(record.task_id).findLast((row) => row.revision === revision)?.result as
    | StoredResult
    | undefined;
}

/** The document whose digest the commit carries. */
export async function evidenceOf(record: TaskRecord, verification: Verification, tools: TaskTools) {
  const { review, approval } = verifying(record);
  const { engine } = await tools.sandbox();
  const last = lastReceipt(record.task_id, tools.store);
  return sealEvidence({
    version: 1,
    task_id: record.task_id,
    contract_sha256: record.contract_hash,
    base_commit: record.base_commit,
    tree: review.tree,
    diff_sha256: review.diff_sha256,
    review_revision: review.revision,
    approval: {
      summary: approval.summary,
      approved_criteria: approval.approved_criteria,
      approved_at: approval.approved_at,
    },
    verification: verification.checks.map((check) => ({
      id: check.id,
      argv: [...check.argv],
      cwd: check.cwd,
      exit_code: check.exitCode,
      passed: check.passed,
      output_sha256: check.sha256,
      output_bytes: check.outputBytes,
    })),
    file_assertions: verification.assertions.map(({ id, path, passed, sha256 }) => ({
      id,
      path,
      passed,
      ...(sha256 !== undefined && { sha256 }),
    })),
    acceptance: [...acceptance(record, verification, approval.approved_criteria).rows],
    sandbox: {
      engine: engine.kind === 'bubblewrap' ? `bubblewrap ${engine.version}` : 'none',
      confined: engine.kind === 'bubblewrap',
    },
    worker: {
      name: record.worker,
      ...(record.session?.agent_name !== undefined && { agent_name: record.session.agent_name }),
      ...(record.session?.agent_version !== undefined && { agent_version: record.session.agent_version }),
      claim: review.summary,
      ...(review.worker_review && { review: review.worker_review }),
    },
    receipts: { count: last?.seq ?? 0, head: last?.digest ?? NO_RECEIPT },
  });
}

/** Written before the commit, so that no commit names evidence that is not there. */
export async function writeEvidence(record: TaskRecord, evidence: { text: string }, tools: TaskTools): Promise<void> {
  const directory = tools.places.task(record.task_id);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, EVIDENCE_FILE), evidence.text, { mode: 0o600, flush: true });
}

/** The evidence document of a completed task, sealed again from what the disk has. */
export async function readEvidence(taskId: string, places: TaskPlaces) {
  return sealEvidence(JSON.parse(await readFile(join(places.task(taskId), EVIDENCE_FILE), 'utf8')));
}

const EVIDENCE_FILE = 'evidence.json';

function verifying(record: TaskRecord): StatusOf<'verifying'> {
  if (record.status.state !== 'verifying') throw wrongState(record, 'evidence', 'verifying');
  return record.status;
}

function approvalReceipt(record: TaskRecord): ReceiptDraft {
  const { approval } = verifying(record);
  return {
    at: approval.approved_at,
    source: 'host',
    kind: 'approval',
    subject: approval.tree,
    success: true,
    facts: { revision: approval.revision, approved_criteria: approval.approved_criteria },
  };
}

function checkReceipt(check: CheckResult): ReceiptDraft {
  return {
    at: check.finishedAt,
    source: 'host',
    kind: 'command',
    subject: check.id,
    success: check.passed,
    facts: {
      argv: [...check.argv],
      cwd: check.cwd,
      exit_code: check.exitCode,
      output_sha256: check.sha256,
      output_bytes: check.outputBytes,
    },
  };
}

function assertionReceipt(result: AssertionResult, tools: TaskTools): ReceiptDraft {
  return {
    at: tools.journal.now(),
    source: 'host',
    kind: 'assertion',
    subject: result.id,
    success: result.passed,
    facts: { path: result.path, ...(result.sha256 !== undefined && { sha256: result.sha256 }) },
  };
}
