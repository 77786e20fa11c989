import { z } from 'zod';

const tokens = z.number().min(0);

/** What a worker says that it used; its word, not the host's count. Field names are the wire's. */
export const usageSchema = z.strictObject({
  promptTokens: tokens.describe('Tokens sent to the model.'),
  completionTokens: tokens.describe('Tokens that the model wrote.'),
  reasoningTokens: tokens.describe('Of these, tokens of reasoning.'),
  cacheHitTokens: tokens.describe('Prompt tokens served from a cache.'),
  cacheMissTokens: tokens.describe('Prompt tokens not served from a cache.'),
  cacheHitRatio: z.number().min(0).max(1).nullable().describe('Hits over all prompt tokens, or null when unknown.'),
  estimatedCost: tokens.nullable().describe('Estimated cost in the currency below, or null when unknown.'),
  currency: z.string().nullable().describe('Currency of the cost, or null when unknown.'),
  /** In the agent's words, or `prompt_result`, or `usage_update`. */
  usageSource: z.string().describe('Who reported these numbers.'),
});

export type Usage = Readonly<z.infer<typeof usageSchema>>;

const { shape } = usageSchema;

const reasonixUsageSchema = z.object({
  promptTokens: shape.promptTokens.catch(0),
  completionTokens: shape.completionTokens.catch(0),
  reasoningTokens: shape.reasoningTokens.catch(0),
  cacheHitTokens: shape.cacheHitTokens.catch(0),
  cacheMissTokens: shape.cacheMissTokens.catch(0),
  cacheHitRatio: shape.cacheHitRatio.catch(null),
  estimatedCost: shape.estimatedCost.catch(null),
  currency: z.string().max(16).nullable().catch(null),
  usageSource: z.string().max(64).catch('unknown'),
});

/** The usage object of a Reasonix status; members that are unknown are left out, missing numbers are 0. */
export function reasonixUsage(value: unknown): Usage | undefined {
  const parsed = reasonixUsageSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

const count = z.number().min(0).optional().catch(undefined);
const resultUsageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  thoughtTokens: count,
  cachedReadTokens: count,
});

/** The `usage` member that some agents put into the answer to a prompt. */
export function promptResultUsage(value: unknown): Usage | undefined {
  const parsed = resultUsageSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { inputTokens, outputTokens, thoughtTokens = 0, cachedReadTokens = 0 } = parsed.data;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const hit = cachedReadTokens;
  // Agents differ in whether the cached tokens are part of the input; whoever reads more than the input counts apart.
  const promptTokens = hit > (inputTokens ?? 0) ? (inputTokens ?? 0) + hit : (inputTokens ?? 0);
  return {
    promptTokens,
    completionTokens: outputTokens ?? 0,
    reasoningTokens: thoughtTokens,
    cacheHitTokens: hit,
    cacheMissTokens: promptTokens - hit,
    cacheHitRatio: hit === 0 || promptTokens === 0 ? null : hit / promptTokens,
    estimatedCost: null,
    currency: null,
    usageSource: 'prompt_result',
  };
}

const quotaSchema = z.object({
  quota: z.object({ token_count: z.object({ input_tokens: tokens, output_tokens: tokens }) }),
});

/** The same as Gemini CLI puts it: into `_meta` of the answer. */
export function quotaUsage(meta: unknown): Usage | undefined {
  const parsed = quotaSchema.safeParse(meta);
  if (!parsed.success) return undefined;
  const { input_tokens, output_tokens } = parsed.data.quota.token_count;
  return promptResultUsage({ inputTokens: input_tokens, outputTokens: output_tokens });
}

const costSchema = z.object({ amount: z.number().min(0), currency: z.string().max(16) });

/** Adds the cost of a `usage_update`, the only thing in it that counts what was used: its tokens are those in context. */
export function withCost(usage: Usage | undefined, reported: unknown): Usage | undefined {
  const parsed = costSchema.safeParse(reported);
  if (!parsed.success) return usage;
  const none = {
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
    cacheHitTokens: 0,
    cacheMissTokens: 0,
    cacheHitRatio: null,
  };
  const { amount, currency } = parsed.data;
  return { ...(usage ?? { ...none, usageSource: 'usage_update' }), estimatedCost: amount, currency };
}
