import { describe, expect, test } from 'vitest';
import {
  appendReceipt,
  type Gap,
  judgeReviewReport,
  type Observation,
  observationOf,
  observationReceipt,
  observationSchema,
  reviewReportSchema,
} from './index.ts';
import { deleted, gitDeletion, ran, read, report, reported, wrote } from './test-fixture.ts';

function gapsOf(ledger: readonly Observation[], paths: readonly string[], kind: 'review' | 'security' = 'review') {
  const verdict = judgeReviewReport(report(paths, { kind, verdict: 'warn' }), ledger, '/work/tree');
  return verdict.kind === 'refused' ? verdict.gaps : [];
}

const codes = (gaps: readonly Gap[]) => gaps.map(({ code }) => code);

describe('a refused report', () => {
  test('names the path, its lines and the call that shows them', () => {
    expect(gapsOf([wrote('src/a', '3-5,9'), read('src/a', '4')], ['src/a'])).toEqual([
      {
        code: 'path_unread',
        message: 'src/a was not read since its latest change (lines 3, 5, 9).',
        call: { tool: 'read_file', arguments: { path: 'src/a', from: 3, to: 9 } },
      },
    ]);
  });

  test('names a deletion and the command that shows it', () => {
    const [gap] = gapsOf([deleted("it's gone")], ["it's gone"]);
    expect(gap?.code).toBe('deletion_unseen');
    expect(gap?.call).toEqual({ tool: 'bash', arguments: { argv: ['git', 'diff', 'HEAD', '--', "it's gone"] } });
  });

  test('names what it leaves out, with the whole report to make', () => {
    const ledger = [wrote('a', '1'), wrote('b', '1'), read('a', '1'), read('b', '1')];
    expect(gapsOf(ledger, ['a'])).toEqual([
      {
        code: 'path_unreviewed',
        message: 'The report leaves out what was changed: b.',
        call: {
          tool: 'review_report',
          arguments: { kind: 'review', verdict: 'warn', reviewed_paths: ['a', 'b'], findings: [] },
        },
      },
    ]);
  });

  test('names a path that is none of the repository’s', () => {
    const ledger = [wrote('a', '1'), read('a', '1')];
    for (const path of ['/elsewhere/a', '../a', '.'])
      expect(codes(gapsOf(ledger, ['a', path]))).toEqual(['path_unknown']);
  });

  test('names an unchanged path that was never read', () => {
    const ledger = [wrote('a', '1'), read('a', '1')];
    expect(gapsOf(ledger, ['a', 'b'])).toMatchObject([
      { code: 'path_unread', call: { tool: 'read_file', arguments: { path: 'b' } } },
    ]);
  });

  test('hides nothing in the name of a path', () => {
    expect(gapsOf([wrote('a\u202eb', '1')], ['a\u202eb'])[0]?.message).toContain('a\\u{202E}b was not read');
  });
});

describe('a report is accepted', () => {
  test('when it covers every change, by whatever spelling', () => {
    const ledger = [wrote('a', '1'), deleted('b'), read('a', '1'), read('c', '1'), ran('git diff', gitDeletion('b'))];
    expect(judgeReviewReport(report(['./a', '/work/tree/b', 'c', 'a']), ledger, '/work/tree')).toEqual({
      kind: 'accepted',
      paths: ['a', 'b', 'c'],
    });
  });

  test('without a path that was created and deleted again', () => {
    expect(
      gapsOf([wrote('a', '1'), wrote('t', '1', { change: 'created' }), deleted('t'), read('a', '1')], ['a']),
    ).toEqual([]);
  });

  test('of security when it covers the changes that touch it', () => {
    const ledger = [wrote('a', '1'), wrote('src/login.ts', '1'), read('src/login.ts', '1')];
    expect(gapsOf(ledger, ['src/login.ts'], 'security')).toEqual([]);
    expect(codes(gapsOf(ledger, ['a'], 'security'))).toEqual(['path_unread', 'path_unreviewed']);
    expect(codes(gapsOf([...ledger, read('a', '1')], ['a'], 'security'))).toEqual(['path_unreviewed']);
  });
});

describe('shapes', () => {
  test('a report names a verdict and at least one path', () => {
    expect(reviewReportSchema.safeParse(report(['a'])).success).toBe(true);
    expect(reviewReportSchema.safeParse(report([])).success).toBe(false);
    expect(reviewReportSchema.safeParse({ ...report(['a']), verdict: 'fine' }).success).toBe(false);
    expect(reviewReportSchema.safeParse({ ...report(['a']), approved: true }).success).toBe(false);
  });

  test('an observation survives its receipt, names that are no UTF-8 too', () => {
    const odd = 'src/a\udcff\udc80b';
    const observations = [read(odd, '1'), deleted(odd), reported([odd]), ran('cat', 'x\n', { argv: ['cat', odd] })];
    for (const observation of observations) {
      const draft = observationReceipt(observation, { at: '2026-01-01T00:00:00.000Z' });
      const receipt = appendReceipt(undefined, draft);
      expect(observationOf(JSON.parse(JSON.stringify(receipt)))).toEqual(observation);
    }
  });

  test('an observation survives its JSON', () => {
    const ledger = [wrote('a', '1'), read('a', '1'), ran('git diff', 'x'), reported(['a'])];
    for (const observation of ledger)
      expect(observationSchema.parse(JSON.parse(JSON.stringify(observation)))).toEqual(observation);
  });
});
