import { expect, test } from 'vitest';
import { lintContract } from '../contract/index.ts';
import type { Review, TaskRecord } from '../task/index.ts';
import { viewBundle } from './task-view.ts';

const DIFF = Buffer.from('+a short diff\n');

function recordOf(): TaskRecord {
  const contract = lintContract({
    schema_version: 1,
    objective: 'Change x',
    user_outcome: 'x has its new value',
    write_scope: ['src/**'],
    acceptance_criteria: [{ id: 'looks-right', requirement: 'As asked', evidence: 'review' }],
    verification: [],
  });
  if (!contract.ok) throw new Error(JSON.stringify(contract.problems));
  return { contract: contract.canonical } as TaskRecord;
}

function bundle(members: Partial<Review> = {}, diff: Buffer = DIFF) {
  const review: Review = {
    revision: 1,
    tree: '0'.repeat(40),
    diff_sha256: '0'.repeat(64),
    diff_bytes: diff.length,
    diff_stat: ' src/x.ts | 1 +\n',
    changed_files: ['src/x.ts'],
    risks: ['One'],
    summary: 'Done',
    created_at: '2026-01-01T00:00:00.000Z',
    ...members,
  };
  return viewBundle(recordOf(), review, diff);
}

test('a bundle that is whole asks for no inspection', () => {
  expect(bundle()).not.toHaveProperty('inspect_required');
});

test.each<[string, Partial<Review>, Buffer?]>([
  ['the diff', {}, Buffer.alloc(20_000, '+a\n')],
  ['a diff that only its escapes make too long', {}, Buffer.from('\u200b'.repeat(4_000))],
  ['a diff of which the caller has only the beginning', { diff_bytes: 1_000_000 }],
  ['the stat', { diff_stat: 'x'.repeat(5_000) }],
  ['the summary', { summary: 'x'.repeat(5_000) }],
  ['the list of risks', { risks: Array.from({ length: 129 }, () => 'One') }],
  ['a risk', { risks: ['x'.repeat(2_049)] }],
  ['the list of files', { changed_files: Array.from({ length: 257 }, (_, at) => `src/${at}`) }],
  [
    'a few hundred long names',
    { changed_files: Array.from({ length: 100 }, (_, at) => `src/${'x'.repeat(200)}${at}`) },
  ],
  ['many long risks', { risks: Array.from({ length: 50 }, () => 'x'.repeat(2_000)) }],
  ['a path', { changed_files: [`src/${'x'.repeat(1_100)}`] }],
])('a bundle asks for an inspection when it cut %s', (_what, members, diff) => {
  const shown = bundle(members, diff);
  expect(shown).toHaveProperty('inspect_required', true);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(40_000);
});

test('a diff is cut as if all of it had been escaped before', () => {
  const { diff } = bundle({}, Buffer.from(`${'x'.repeat(12_286)}äöü${'\u200b'.repeat(1_000_000)}`));
  expect(diff).toBe(`${'x'.repeat(12_286)}ä`);
});
