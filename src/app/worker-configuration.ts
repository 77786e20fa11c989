import { z } from 'zod';
import { priceSchema, providerNames, splitModel } from '../agent/index.ts';
import { ADAPTER_NAMES } from '../worker/index.ts';
import { absolutePath, variableName } from './setting-shapes.ts';

const egressTarget = z
  .string()
  .max(300)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]):(?:[1-9]\d{0,4})$/,
    'must be host:port, such as api.example.com:443',
  )
  .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, 'has a port over 65535');

const common = {
  model: z.string().min(1).max(200).optional().describe('The model to choose where the agent offers a choice.'),
  env: z
    .array(variableName)
    .max(100)
    .default([])
    .describe(
      'Names of variables of the host that this worker may see, such as the one with its API key; PATH, CI, TERM and USER are always set by Remit.',
    ),
  egress: z
    .array(egressTarget)
    .max(100)
    .optional()
    .describe(
      "host:port targets that this worker may reach; without it the adapter's own list. Kept for the egress gateway: this version does not enforce it yet.",
    ),
  writable: z
    .array(absolutePath)
    .max(20)
    .default([])
    .describe(
      'Absolute folders outside the worktree that this worker may write: an exception to the contract, shown in every review.',
    ),
};

const modelName = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (text) => splitModel(text) !== undefined,
    `must be PROVIDER:NAME with one of the providers ${providerNames()}`,
  );

const endpoint = {
  model: modelName.describe('PROVIDER:NAME, for example openai-compatible:gpt-5 or deepseek:deepseek-v4-flash.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('Where the model is reached; only openai-compatible has none of its own.'),
  apiKey: z.string().min(1).max(4_000).optional().describe('Its key. Better kept elsewhere: see apiKeyEnv.'),
  apiKeyEnv: variableName
    .optional()
    .describe("Name of the host's variable that holds the key; without it the provider's usual one."),
};

const oneKey = [
  ({ apiKey, apiKeyEnv }: { apiKey?: string | undefined; apiKeyEnv?: string | undefined }) =>
    apiKey === undefined || apiKeyEnv === undefined,
  'has apiKey and apiKeyEnv: keep one of them',
] as const;

const limit = z.number().positive().max(1e12).optional();
const count = z.int().positive().max(1e12).optional();

const builtinSchema = z
  .strictObject({
    adapter: z.literal('builtin').describe('The worker that comes with Remit.'),
    ...common,
    ...endpoint,
    reviewer: z
      .strictObject(endpoint)
      .refine(...oneKey)
      .optional()
      .describe('Another model that reviews the work in the place of its author, with a key and endpoint of its own.'),
    budget: z
      .strictObject({
        requests: count.describe('Requests to the model.'),
        tokens: count.describe('Tokens, in and out.'),
        seconds: count.describe('Seconds of work.'),
        cost: limit.describe('Cost, in the currency of price.'),
      })
      .optional()
      .describe('What one prompt may use before the task pauses; resuming grants the same once more.'),
    price: priceSchema.optional().describe('What a million tokens cost, so that cost can be shown and limited.'),
    contextTokens: z
      .int()
      .min(1_000)
      .max(100_000_000)
      .optional()
      .describe('Tokens that fit into one request. Default 128000.'),
  })
  .refine(...oneKey);

const command = z
  .array(z.string().min(1).max(4_096))
  .min(1)
  .max(100)
  .refine(([program = '']) => program.startsWith('/') || !program.includes('/'), {
    message: 'must start with an absolute path or a bare name that is looked up in PATH',
    path: [0],
  })
  .describe('Program and arguments of an agent that speaks ACP v1 on stdio; never a shell command line.');

/** One entry of `workers` in the settings file. */
export const workerSchema = z.discriminatedUnion('adapter', [
  z.strictObject({
    adapter: z
      .enum(ADAPTER_NAMES.filter((name) => name !== 'builtin'))
      .describe(
        'The family of the agent. With acp it is known by the name of its program; an agent of no known family works too.',
      ),
    command,
    ...common,
  }),
  builtinSchema,
]);

export const workersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is no name for a worker: use letters, digits, . _ -'),
  workerSchema,
);

export type ConfiguredWorker = z.output<typeof workerSchema>;
export type BuiltinWorker = z.output<typeof builtinSchema>;
export type ConfiguredWorkers = z.output<typeof workersSchema>;
