import { expect, test } from 'vitest';
import type { TaskEvidence } from '../../app/index.ts';
import { describeEvidence } from './describe-evidence.ts';
import { plain } from './fixtures/tasks.ts';

const HASH = 'a'.repeat(64);
const RECEIPT: TaskEvidence['receipts'][number] = {
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  source: 'host',
  kind: 'command',
  subject: 'V1\n   2  forged',
  success: true,
  facts: {},
  previous: '0'.repeat(64),
  digest: HASH,
};

const BEFORE: TaskEvidence = {
  acceptance: [{ criterionId: 'C1', evidence: 'automated', approved: false, source: 'none' }],
  receipts: [RECEIPT, { ...RECEIPT, seq: 2, source: 'worker', kind: 'report', subject: 'done', success: false }],
  ledger_intact: true,
};

const AFTER: TaskEvidence = {
  ...BEFORE,
  document_sha256: HASH,
  document: {
    version: 1,
    task_id: 'greet',
    contract_sha256: HASH,
    base_commit: 'b'.repeat(40),
    tree: 'c'.repeat(40),
    diff_sha256: HASH,
    review_revision: 2,
    approval: { summary: 'Read it\nall', approved_criteria: ['C2'], approved_at: '2026-01-01T00:00:00.000Z' },
    verification: [
      { id: 'V1', argv: ['npm', 'test'], cwd: 'web', exit_code: 0, passed: true, output_sha256: HASH, output_bytes: 3 },
    ],
    file_assertions: [{ id: 'F1', path: 'LICENSE', passed: true }],
    acceptance: [],
    sandbox: { engine: 'none', confined: false },
    worker: { name: 'reasonix', agent_name: 'Reasonix', claim: 'done' },
    receipts: { count: 2, head: HASH },
  },
};

test('before the commit there is the ledger, one line a receipt, a worker’s own marked as claims', () => {
  expect(describeEvidence(BEFORE, plain, 200).split('\n')).toEqual([
    'Evidence document',
    '  There is none before the commit.',
    '',
    'Acceptance',
    '  not yet C1 (automated)',
    '',
    'Ledger: 2 receipts of what the host saw',
    '     1  2026-01-01T00:00:00.000Z  yes  command: V1 2  forged',
    '     2  2026-01-01T00:00:00.000Z  no   report (the worker claims): done',
    '  intact: each receipt seals the one before it',
  ]);
});

test('of a commit there is the document, and what confined nothing is said loudly', () => {
  const text = describeEvidence(AFTER, plain, 200);
  for (const part of [
    `sha256    ${HASH}`,
    'revision 2 at 2026-01-01T00:00:00.000Z: C2',
    '│ Read it\n            │ all',
    'none, which confines NOTHING',
    'passed V1: npm test (in web) (exit 0)',
    'passed F1: file LICENSE',
  ])
    expect(text).toContain(part);
});

test('a broken ledger is said to be broken', () => {
  expect(describeEvidence({ ...BEFORE, ledger_intact: false }, plain, 80)).toContain('BROKEN');
});
