import { expect, test } from 'vitest';
import { detail } from '../render/fixtures/tasks.ts';
import { approvalOf } from './approval.ts';
import { decisionOf } from './respond-to-task.ts';
import { exitCodeOfTask } from './task-end.ts';

const TREE = 'b'.repeat(40);

function asked(kind: 'permission' | 'input') {
  const options = [
    { id: 'yes', name: 'Yes', kind: 'allow_once' },
    { id: 'no', name: 'No', kind: 'reject_once' },
    { id: 'blue', name: 'Blue' },
  ];
  return { id: 'i', kind, status: 'pending' as const, createdAt: '', request: { title: '', options } };
}

test.each([
  [{ allow: true }, 'allow'],
  [{ deny: true }, 'deny'],
  [{ answer: 'Words' }, 'allow'],
  [{ option: 'yes' }, 'allow'],
  [{ option: 'no' }, 'deny'],
  [{ option: 'no', allow: true }, 'allow'],
])('%j decides %s', (words, decision) => {
  expect(decisionOf(words, asked('input'))).toBe(decision);
});

test('an option of no known kind answers a question and permits nothing', () => {
  expect(decisionOf({ option: 'blue' }, asked('input'))).toBe('allow');
  expect(decisionOf({ option: 'blue' }, asked('permission'))).toBe('deny');
});

test.each([[{}], [{ allow: true, deny: true }]])('%j decides nothing', (words) => {
  expect(() => decisionOf(words, asked('input'))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test.each([
  [{ yes: true }, { criteria: ['C2'], revision: 1, tree: TREE }],
  [{ approve: ['C2', 'C1'] }, { criteria: ['C2', 'C1'], revision: 1, tree: TREE }],
  [
    { yes: true, revision: 7, tree: 'c'.repeat(40) },
    { criteria: ['C2'], revision: 7, tree: 'c'.repeat(40) },
  ],
])('%j approves %j', (words, approval) => {
  expect(approvalOf(detail(), words)).toEqual(approval);
});

test('an approval needs words that agree, and a candidate', () => {
  expect(() => approvalOf(detail(), { yes: true, approve: ['C1'] })).toThrow('--yes approves every review criterion');
  expect(() => approvalOf(detail(), { approve: ['C9'] })).toThrow('--approve C9: the contract has no such criterion');
  expect(() => approvalOf(detail(), {})).toThrow('Yours to approve:\n  C2: It reads well');
  expect(() => approvalOf(detail({ state: 'running', phase: 'working' }), { yes: true })).toThrow(
    'Task greet is running: finalize needs review_required.',
  );
});

test.each([
  ['running', 'working', undefined],
  ['verifying', 'verifying', undefined],
  ['completed', 'completed', 0],
  ['failed', 'worker_unavailable', 1],
  ['commit_failed', 'commit_failed', 1],
  ['cancelled', 'cancelled', 1],
  ['closed', 'closed', 1],
  ['review_required', 'review_ready', 3],
  ['review_required', 'ownership_ambiguous', 3],
  ['review_required', 'verification_failed', 5],
  ['review_required', 'sandbox_unavailable', 6],
  ['paused', 'deadline', 4],
  ['waiting_permission', 'waiting_permission', 4],
  ['waiting_input', 'waiting_input', 4],
] as const)('a task that is %s (%s) ends a command with %s', (state, phase, code) => {
  expect(exitCodeOfTask({ state, phase })).toBe(code);
});
