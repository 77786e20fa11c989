import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { TaskDetail } from '../../app/index.ts';
import { describeTask } from './describe-task.ts';
import { detail, plain } from './fixtures/tasks.ts';

const page = (task: TaskDetail, width = 100) => describeTask(task, plain, width);

test('tells where the task stands, and binds the command that approves to what is shown', () => {
  const text = page(
    detail({ phase: 'verification_failed', reason: 'Verification failed: V1 ended with exit code 1.' }),
  );
  expect(text).toContain('greet  review_required (verification_failed)\n  why   Verification failed: V1 ended');
  expect(text).toContain(`remit task finalize greet --yes --revision 1 --tree ${'b'.repeat(40)}\n`);
  expect(text).toContain('give it up:       remit task cancel greet\n');
  expect(text).toContain(
    'next  review it:        remit task attach greet\n        read its diff:    remit task diff greet\n',
  );
});

test('shows contract, candidate, acceptance, verification and usage', () => {
  const text = page(detail());
  for (const part of [
    'Candidate: revision 1, 1 file, a diff of 2.0 KiB',
    'What the worker claims; nobody verified it\n  │ All done.',
    '  - The worker never asked.',
    'Yours to approve: C2',
    '  may write  src/**\n  but never  src/secret/**',
    "  V1  npm test -- 'it'\\''s'",
    '  passed V1: npm test\n    exited with 0, 1.5 s, 312 bytes of output in /state/logs/v1.log',
    '  met C1 (automated) by V1\n  not yet C2 (review)',
    '18.2k tokens in, 950 out (the worker says)',
    'reasonix: Reasonix 1.38',
  ])
    expect(text).toContain(part);
});

test.each([
  ['running', 'remit task watch greet'],
  ['verifying', 'remit task watch greet'],
  ['waiting_permission', 'remit task respond greet --allow'],
  ['waiting_input', "remit task respond greet --answer 'YOUR ANSWER'"],
  ['paused', 'remit task attach greet --resume'],
  ['commit_failed', 'git log remit/greet'],
] as const)('a task that is %s names the command %j', (state, command) => {
  expect(page(detail({ state, phase: state }))).toContain(command);
});

test.each(['failed', 'cancelled', 'closed'] as const)('a task that is %s names no next step', (state) => {
  expect(page(detail({ state, phase: state }))).not.toContain('next  ');
});

test('a completed task names its commit and how to take it over', () => {
  const commit = 'd'.repeat(40);
  const text = page(
    detail({ state: 'completed', commit_hash: commit, integration_command: `git cherry-pick ${commit}` }),
  );
  expect(text).toContain(`made  commit ${commit} on remit/greet`);
  expect(text).toContain(`git cherry-pick ${commit}`);
  expect(text).not.toContain('Yours to approve');
});

const QUESTION: TaskDetail['interactions'][number] = {
  id: 'i1',
  kind: 'input',
  status: 'pending',
  createdAt: '2026-01-01T00:00:00.000Z',
  request: { title: 'Which one?', options: [{ id: 'a', name: 'The first' }], input: { why: 'unclear' } },
};

test('shows the open question with its answers', () => {
  const text = page(detail({ state: 'waiting_input', phase: 'waiting_input' }, { interactions: [QUESTION] }));
  expect(text).toContain('The worker asks:\n  │ Which one?\n  │ {\n  │   "why": "unclear"');
  expect(text).toContain('  a  The first');
  expect(text).toContain('remit task respond greet --option OPTION');
});

test('a question that its input only says again is shown once', () => {
  const request = { title: 'Which one?', options: [], input: { question: 'Which one?', multi: false } };
  const open = detail({ state: 'waiting_input' }, { interactions: [{ ...QUESTION, request }] });
  expect(page(open)).toContain('The worker asks:\n  │ Which one?\n\n');
});

test('of a permission the input is shown whatever it says', () => {
  const request = { title: 'edit x', options: [], input: { question: 'edit x', command: 'rm -rf .' } };
  const open = detail(
    { state: 'waiting_permission' },
    { interactions: [{ ...QUESTION, kind: 'permission', request }] },
  );
  expect(page(open)).toContain('│   "command": "rm -rf ."');
});

test.each([40, 80, 120])(
  'a hostile worker can neither move the cursor nor imitate our lines at %d columns',
  (width) => {
    const fake = 'greet  completed';
    const forged = 'met C2 (review)';
    const hostile = `${'x '.repeat(3)}\u001b[2J\u001b[H\r${fake}\n${forged}\n${' '.repeat(width - 4)}${fake}\u202e\u2028${fake}`;
    const honest = detail();
    const base = honest.review as NonNullable<TaskDetail['review']>;
    const text = page(
      detail(
        { reason: hostile, worktree: hostile },
        {
          contract: { ...honest.contract, objective: hostile, user_outcome: hostile, write_scope: [hostile] },
          review: { ...base, summary: hostile, risks: [hostile], diff_stat: hostile },
          agent: hostile,
          interactions: [{ ...QUESTION, request: { title: hostile, options: [{ id: hostile, name: hostile }] } }],
        },
      ),
      width,
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/u);
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('greet  '))).toEqual(['greet  review_required']);
    const statements = (page: string) => page.split('\n').filter((line) => /^\s*(met|passed|next|made) /.test(line));
    expect(statements(text)).toEqual(statements(page(honest, 200)));
    // A terminal breaks what is too long, and goes on in its first column.
    expect(lines.filter((line) => stringWidth(line) > width && line.includes('completed'))).toEqual([]);
  },
);
