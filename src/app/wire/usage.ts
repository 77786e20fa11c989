/** What the worker reports to have used; it is the worker's word, not the host's count. */
import { z } from 'zod';

const tokens = z.number().min(0);

export const usageSchema = z.strictObject({
  promptTokens: tokens.describe('Tokens sent to the model.'),
  completionTokens: tokens.describe('Tokens that the model wrote.'),
  reasoningTokens: tokens.describe('Of these, tokens of reasoning.'),
  cacheHitTokens: tokens.describe('Prompt tokens served from a cache.'),
  cacheMissTokens: tokens.describe('Prompt tokens not served from a cache.'),
  cacheHitRatio: z.number().min(0).max(1).nullable().describe('Hits over all prompt tokens, or null when unknown.'),
  estimatedCost: tokens.nullable().describe('Estimated cost in the currency below, or null when unknown.'),
  currency: z.string().nullable().describe('Currency of the cost, or null when unknown.'),
  usageSource: z.string().describe('Who reported these numbers.'),
});
