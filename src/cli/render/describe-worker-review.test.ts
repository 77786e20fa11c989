import { expect, test } from 'vitest';
import { workerReviewLines } from './describe-worker-review.ts';
import { plain } from './fixtures/tasks.ts';

const REVIEW = {
  reports: [
    {
      kind: 'review',
      verdict: 'warn',
      findings: [{ summary: 'Odd name\u202e', severity: 'low', path: 'src/x.ts', line: 3 }, { summary: 'No test' }],
    },
  ],
  evidence: [{ path: 'src/x.ts', receipts: [5, 7] }],
  unverified: 1,
};

test('a worker’s own review is shown with its findings, and the receipts that let it count', () => {
  expect(workerReviewLines(REVIEW, plain, 80)).toEqual([
    'Its own review; the host saw what it rests on',
    '  review: warn, 2 findings',
    '    - low src/x.ts:3: Odd name\\u{202E}',
    '    - No test',
    '  read src/x.ts (receipts 5, 7)',
    '  1 piece of its evidence for steps is only its word',
  ]);
});

test('a worker without one has no line of it', () => {
  expect(workerReviewLines(undefined, plain, 80)).toEqual([]);
});
