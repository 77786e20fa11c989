import { expect, test } from 'vitest';
import { promptResultUsage, quotaUsage, withCost } from './usage.ts';

test('usage in the meta data of an answer, where Gemini CLI puts it, counts like any other', () => {
  const meta = { quota: { token_count: { input_tokens: 300, output_tokens: 30 }, model_usage: [] } };
  expect(quotaUsage(meta)).toEqual(promptResultUsage({ inputTokens: 300, outputTokens: 30 }));
  expect(quotaUsage(meta)).toMatchObject({ promptTokens: 300, completionTokens: 30 });
});

test.each([undefined, {}, { quota: {} }, { quota: { token_count: { input_tokens: -1, output_tokens: 'x' } } }])(
  'meta data without it, %j, says nothing',
  (meta) => {
    expect(quotaUsage(meta)).toBeUndefined();
  },
);

test('a cost is added to what was counted, and stands alone where nothing was', () => {
  const counted = promptResultUsage({ inputTokens: 10, outputTokens: 1 });
  const cost = { amount: 0.5, currency: 'USD' };
  expect(withCost(counted, cost)).toMatchObject({ promptTokens: 10, estimatedCost: 0.5 });
  expect(withCost(undefined, cost)).toMatchObject({ promptTokens: 0, estimatedCost: 0.5, usageSource: 'usage_update' });
  expect(withCost(counted, { amount: -1, currency: 'USD' })).toEqual(counted);
});
