import { z } from 'zod';
import { shownEndpoint } from './endpoint.ts';
import { MODEL_EFFORTS, type ModelChoice, priceSchema, type WorkerSettings } from './settings.ts';

const limit = z.number().positive().optional();

const modelSchema = z.strictObject({
  model: z.string().describe('PROVIDER:NAME.'),
  endpoint: z.string().describe('Where requests go.'),
  key: z.string().nullable().describe('The variable that the key comes from, never the key; null when none is sent.'),
});

/** What is configured for the bundled worker, without any key. */
export const modelsReportSchema = z.strictObject({
  author: modelSchema.describe('The model that does the work.'),
  reviewer: modelSchema.describe('The model that reviews it, when there is another pair of eyes.').optional(),
  effort: z.enum(MODEL_EFFORTS).describe('How hard the model thinks; absent: as the provider does.').optional(),
  budget: z
    .strictObject({
      requests: limit.describe('Requests to the model.'),
      tokens: limit.describe('Tokens, in and out.'),
      seconds: limit.describe('Seconds of work.'),
      cost: limit.describe('Cost, in the currency of the price.'),
    })
    .describe('What a prompt may use before the work pauses; a limit that is absent is none.'),
  price: priceSchema.describe('Of a million tokens, where it is known.').optional(),
  context_tokens: z.int().positive().describe('Tokens that fit into one request.'),
});

export type ModelsReport = z.output<typeof modelsReportSchema>;

export function describeSettings(settings: WorkerSettings): ModelsReport {
  const { author, reviewer, effort, budget, price, contextTokens } = settings;
  return modelsReportSchema.parse({
    author: describeModel(author),
    ...(reviewer && { reviewer: describeModel(reviewer) }),
    ...(effort && { effort }),
    budget: Object.fromEntries(Object.entries(budget).filter(([, value]) => value !== undefined)),
    ...(price && { price }),
    context_tokens: contextTokens,
  });
}

function describeModel({ provider, name, baseUrl, keyFrom }: ModelChoice) {
  return { model: `${provider}:${name}`, endpoint: shownEndpoint(baseUrl), key: keyFrom ?? null };
}
