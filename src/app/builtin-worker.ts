import {
  priceSchema,
  readWorkerSettings,
  type SettingsReading,
  splitModel,
  usualKeyOf,
  type WorkerSettings,
} from '../agent/index.ts';
import type { BuiltinWorker } from './worker-configuration.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Everything that the bundled worker reads of its environment. */
const USUAL_KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'DEEPSEEK_API_KEY'];
const MODEL_VARIABLES = ['REMIT_BASE_URL', 'REMIT_API_KEY', ...USUAL_KEYS];
const OTHER_VARIABLES = [
  'REMIT_REVIEWER_MODEL',
  'REMIT_REVIEWER_BASE_URL',
  'REMIT_REVIEWER_API_KEY',
  'REMIT_MAX_REQUESTS',
  'REMIT_MAX_TOKENS',
  'REMIT_MAX_SECONDS',
  'REMIT_MAX_COST',
  'REMIT_PRICE',
  'REMIT_CONTEXT_TOKENS',
];

/**
 * What the bundled worker is told by its environment, and whether that is enough: an entry of the settings file, with what the
 * variables of the host say before it. `model` is what a flag or REMIT_MODEL names.
 */
export function builtinSettings(
  entry: BuiltinWorker | undefined,
  host: Variables,
  model: string | undefined,
): { readonly environment: Record<string, string>; readonly reading: SettingsReading } {
  const all = present({ ...entryVariables(entry, host), ...hostVariables(entry, host, model) });
  const reading = readWorkerSettings(all);
  return { environment: reading.kind === 'configured' ? withoutOtherKeys(all, reading.settings) : all, reading };
}

/** The usual keys of providers that are not asked are none of the worker's business. */
function withoutOtherKeys(environment: Record<string, string>, { author, reviewer }: WorkerSettings) {
  const used = [author.keyFrom, reviewer?.keyFrom];
  const isOther = (name: string) => USUAL_KEYS.includes(name) && !used.includes(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOther(name)));
}

function entryVariables(entry: BuiltinWorker | undefined, host: Variables): Variables {
  if (entry === undefined) return {};
  const { reviewer, budget = {}, price } = entry;
  return {
    REMIT_MODEL: entry.model,
    REMIT_BASE_URL: entry.baseUrl,
    REMIT_API_KEY: keyOf(entry, host),
    REMIT_REVIEWER_MODEL: reviewer?.model,
    REMIT_REVIEWER_BASE_URL: reviewer?.baseUrl,
    REMIT_REVIEWER_API_KEY: reviewer && keyOf(reviewer, host),
    REMIT_MAX_REQUESTS: budget.requests?.toString(),
    REMIT_MAX_TOKENS: budget.tokens?.toString(),
    REMIT_MAX_SECONDS: budget.seconds?.toString(),
    REMIT_MAX_COST: budget.cost?.toString(),
    REMIT_PRICE: price && JSON.stringify(priceSchema.parse(price)),
    REMIT_CONTEXT_TOKENS: entry.contextTokens?.toString(),
  };
}

function keyOf(
  { apiKey, apiKeyEnv }: { apiKey?: string | undefined; apiKeyEnv?: string | undefined },
  host: Variables,
) {
  return apiKey ?? (apiKeyEnv === undefined ? undefined : host[apiKeyEnv]);
}

/**
 * A model that is named for this call may be of another provider: then nothing of the entry's endpoint and key fits it. And
 * an entry's key goes to the entry's own address alone: whoever sets a variable of the host must not have it sent elsewhere.
 */
function hostVariables(entry: BuiltinWorker | undefined, host: Variables, model: string | undefined): Variables {
  const isOther = entry !== undefined && model !== undefined && providerOf(model) !== providerOf(entry.model);
  const isElsewhere = !!host['REMIT_BASE_URL'] && host['REMIT_BASE_URL'] !== entry?.baseUrl;
  const named = entry === undefined ? [...MODEL_VARIABLES, ...OTHER_VARIABLES] : MODEL_VARIABLES;
  // Whoever names a variable for the key does not mean another key when it is not set.
  const isKeyNamed = entry?.apiKeyEnv !== undefined && !isOther && !isElsewhere;
  const mainKey = entry === undefined ? undefined : usualKeyOf(model ?? entry.model);
  return {
    ...(isOther && { REMIT_BASE_URL: undefined }),
    ...((isOther || isElsewhere) && { REMIT_API_KEY: undefined }),
    ...present(Object.fromEntries(named.map((name) => [name, host[name]]))),
    ...(isKeyNamed && mainKey !== undefined && { [mainKey]: undefined }),
    ...(model !== undefined && { REMIT_MODEL: model }),
  };
}

function providerOf(model: string): string | undefined {
  return splitModel(model)?.provider;
}

function present(variables: Variables): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter((entry): entry is [string, string] => !!entry[1]));
}
