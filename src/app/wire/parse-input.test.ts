import { describe, expect, test } from 'vitest';
import { RemitError } from '../../base/index.ts';
import { parseControl, parseDelegate, parseInspect } from './parse-input.ts';

const contract = {
  schema_version: 1,
  objective: 'Change x',
  user_outcome: 'x has its new value',
  write_scope: ['src/**'],
  acceptance_criteria: [{ id: 'C1', requirement: 'It is so', evidence: 'review' }],
  verification: [],
};

function refusalOf(parse: () => unknown): RemitError {
  try {
    parse();
  } catch (error) {
    if (error instanceof RemitError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

function placesOf(error: RemitError): string[] {
  const problems = (error.details?.['problems'] ?? []) as { path: string }[];
  return problems.map(({ path }) => path);
}

describe('a delegation', () => {
  test('gets the defaults of the wire, and no wait that the caller did not ask for', () => {
    const input = parseDelegate({ task_id: 't', contract });
    expect(input).toMatchObject({ wait_mode: 'review', resume: true, contract: { invariants: [] } });
    expect(input.wait_timeout_seconds).toBeUndefined();
  });

  test("Gemini's extra argument is ignored, any other unknown field refused by name", () => {
    expect(parseDelegate({ task_id: 't', contract, wait_for_previous: true })).not.toHaveProperty('wait_for_previous');
    const error = refusalOf(() => parseDelegate({ task_id: 't', contract, path: '/etc' }));
    expect(error.code).toBe('invalid_request');
    expect(placesOf(error)).toEqual(['path']);
    const smuggled = JSON.parse('{"task_id":"t","__proto__":{"x":1}}');
    expect(placesOf(refusalOf(() => parseDelegate({ ...smuggled, contract })))).toEqual(['__proto__']);
  });

  test('all problems of a contract come at once, with those of other fields beside them', () => {
    const wrong = {
      ...contract,
      objective: '',
      extra: 1,
      verification: [
        { id: 'V1', argv: [], proves: ['nothing'] },
        { id: 'V2', argv: ['git', 'push'], proves: ['C1'] },
      ],
    };
    const error = refusalOf(() => parseDelegate({ task_id: '', contract: wrong, wait_mode: 'never' }));
    expect(error.code).toBe('invalid_contract');
    expect(placesOf(error)).toEqual(
      expect.arrayContaining(['objective', 'extra', 'verification[0].argv', 'verification[1].argv']),
    );
    expect(error.details?.['request_problems']).toMatchObject([{ path: 'task_id' }, { path: 'wait_mode' }]);
  });

  test.each([undefined, null, 'text', [], 7])('a contract that is %j is an invalid contract', (value) => {
    expect(refusalOf(() => parseDelegate({ task_id: 't', contract: value })).code).toBe('invalid_contract');
  });

  test('a contract of two megabytes is refused by one short error', () => {
    const error = refusalOf(() =>
      parseDelegate({ task_id: 't', contract: { ...contract, objective: 'x'.repeat(2_000_000) } }),
    );
    expect(error.code).toBe('invalid_contract');
    expect(JSON.stringify(error.details).length + error.message.length).toBeLessThan(2_000);
  });

  test('a path whose meaning depends on the folder of the caller is left to the operation', () => {
    expect(
      parseDelegate({ task_id: 't', contract: { ...contract, write_scope: ['../shared/**'] } }).contract.write_scope,
    ).toEqual(['../shared/**']);
  });
});

describe('a control', () => {
  test.each([
    [{ action: 'steer' }, ['message']],
    [{ action: 'steer', message: 'x', decision: 'allow' }, ['decision']],
    [{ action: 'respond', interaction_id: 'i' }, ['decision']],
    [{ action: 'respond', decision: 'deny', message: 'x' }, ['interaction_id', 'message']],
    [{ action: 'cancel', wait_timeout_seconds: 1 }, ['wait_timeout_seconds']],
    [{ action: 'close', review_summary: 'x' }, ['review_summary']],
    [
      { action: 'finalize' },
      ['review_summary', 'approved_review_criteria', 'expected_review_revision', 'expected_review_tree_hash'],
    ],
  ])('%j is refused, naming the action and every missing or foreign field', (fields, places) => {
    const error = refusalOf(() => parseControl({ task_id: 't', ...fields }));
    expect(error.code).toBe('invalid_request');
    expect(placesOf(error)).toEqual(places);
    expect(error.message).toContain(`action ${fields.action}`);
  });

  test('a finalize with tree hashes of either object format is accepted', () => {
    const fields = {
      action: 'finalize',
      review_summary: 's',
      approved_review_criteria: [],
      expected_review_revision: 0,
    };
    for (const digits of [40, 64]) {
      const expected_review_tree_hash = 'a'.repeat(digits);
      expect(parseControl({ task_id: 't', ...fields, expected_review_tree_hash })).toMatchObject({
        expected_review_tree_hash,
      });
    }
    expect(
      placesOf(refusalOf(() => parseControl({ task_id: 't', ...fields, expected_review_tree_hash: 'a'.repeat(50) }))),
    ).toEqual(['expected_review_tree_hash']);
  });
});

describe('an inspection', () => {
  test('a very long unknown name and a value of the wrong type are told without repeating them', () => {
    const error = refusalOf(() => parseInspect({ task_id: 't', ['k\u202e'.repeat(50_000)]: 1, max_bytes: 'many' }));
    expect(placesOf(error)).toHaveLength(2);
    expect(error.message.length).toBeLessThan(1_500);
    expect(error.message).not.toContain('\u202e');
  });
});
