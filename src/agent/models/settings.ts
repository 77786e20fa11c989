import { z } from 'zod';
import { type EndpointProblem, endpointProblem, isLoopback, isNearby } from './endpoint.ts';
import { PROVIDERS, type Provider, providerNames } from './providers.ts';

/** How hard a model thinks. */
export const MODEL_EFFORTS = ['low', 'medium', 'high', 'max'] as const;
export type ModelEffort = (typeof MODEL_EFFORTS)[number];

/** One model of one provider, ready to be asked. */
export interface ModelChoice {
  readonly provider: Provider;
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The variable that the key came from, which may be shown. */
  readonly keyFrom?: string | undefined;
}

/** Limits of one prompt; what is spent pauses the work. A further prompt grants the same once more. */
export interface Budget {
  /** Requests to the model. */
  readonly requests?: number | undefined;
  /** Tokens, in and out. */
  readonly tokens?: number | undefined;
  /** Of work, in seconds. */
  readonly seconds?: number | undefined;
  /** In the currency of the price. */
  readonly cost?: number | undefined;
}

const amount = z.number().min(0).max(1_000_000);

/** Per million tokens. */
export const priceSchema = z.strictObject({
  input: amount.describe('Price of a million tokens sent.'),
  cachedInput: amount.optional().describe('The same for tokens served from a cache; else they cost as others.'),
  output: amount.describe('Price of a million tokens written.'),
  currency: z.string().min(1).max(16).default('USD').describe('Currency of these prices.'),
});
export type Price = z.output<typeof priceSchema>;

export interface WorkerSettings {
  readonly author: ModelChoice;
  /** Reviews in the author's place. */
  readonly reviewer?: ModelChoice | undefined;
  readonly effort?: ModelEffort | undefined;
  readonly budget: Budget;
  readonly price?: Price | undefined;
  /** Tokens that fit into one request. */
  readonly contextTokens: number;
}

/** Most models of today take more; who knows better says so. */
const DEFAULT_CONTEXT_TOKENS = 128_000;

export type SettingsReading =
  | { readonly kind: 'configured'; readonly settings: WorkerSettings }
  /** `no_model`, `no_key`: nothing is wrong, something is not there. `variable`: the one to set. */
  | { readonly kind: 'no_model' | 'no_key' | 'invalid'; readonly variable: string; readonly problem: string };

export type Environment = Readonly<Record<string, string | undefined>>;

class Unusable extends Error {
  readonly reading: Exclude<SettingsReading, { kind: 'configured' }>;

  constructor(kind: 'no_model' | 'no_key' | 'invalid', variable: string, problem: string) {
    super(problem);
    this.reading = { kind, variable, problem };
  }
}

/** Reads what the bundled worker is told by its environment; a problem is one sentence and holds no value of a key. */
export function readWorkerSettings(environment: Environment): SettingsReading {
  try {
    return { kind: 'configured', settings: settingsFrom(environment) };
  } catch (error) {
    if (error instanceof Unusable) return error.reading;
    throw error;
  }
}

function settingsFrom(environment: Environment): WorkerSettings {
  const author = readModel(environment, AUTHOR);
  if (author === undefined) {
    const problem = `No model is configured: set REMIT_MODEL to PROVIDER:NAME, for example openai-compatible:gpt-5 (providers: ${providerNames()}).`;
    throw new Unusable('no_model', 'REMIT_MODEL', problem);
  }
  return {
    author,
    reviewer: readModel(environment, REVIEWER, author),
    effort: readEffort(environment),
    budget: {
      requests: readNumber(environment, 'REMIT_MAX_REQUESTS', { whole: true }),
      tokens: readNumber(environment, 'REMIT_MAX_TOKENS', { whole: true }),
      seconds: readNumber(environment, 'REMIT_MAX_SECONDS', { whole: true }),
      cost: readCostLimit(environment),
    },
    price: readPrice(environment),
    contextTokens: readNumber(environment, 'REMIT_CONTEXT_TOKENS', { whole: true }) ?? DEFAULT_CONTEXT_TOKENS,
  };
}

interface ModelVariables {
  readonly model: string;
  readonly url: string;
  readonly key: string;
}

const AUTHOR: ModelVariables = { model: 'REMIT_MODEL', url: 'REMIT_BASE_URL', key: 'REMIT_API_KEY' };
const REVIEWER: ModelVariables = {
  model: 'REMIT_REVIEWER_MODEL',
  url: 'REMIT_REVIEWER_BASE_URL',
  key: 'REMIT_REVIEWER_API_KEY',
};

/** `beside`: a model whose endpoint serves for another of the same provider, with the key of that endpoint. */
function readModel(
  environment: Environment,
  { model: modelVariable, url: urlVariable, key: keyVariable }: ModelVariables,
  beside?: ModelChoice,
): ModelChoice | undefined {
  const written = environment[modelVariable];
  if (!written) return undefined;
  const { provider, name } = parseModel(written, modelVariable);
  const known = PROVIDERS[provider];
  const shared = beside?.provider === provider ? beside : undefined;
  const baseUrl = environment[urlVariable] || shared?.baseUrl || known.baseUrl;
  if (baseUrl === undefined) {
    const problem = `${modelVariable} names an ${provider} model: set ${urlVariable} to its endpoint, for example https://api.openai.com/v1 or http://127.0.0.1:11434/v1.`;
    throw new Unusable('invalid', urlVariable, problem);
  }
  const wrong: EndpointProblem | undefined = endpointProblem(baseUrl);
  if (wrong !== undefined) throw new Unusable('invalid', urlVariable, `${urlVariable} ${wrong}.`);
  // The usual key is meant for its provider: in the clear it does not leave the machine.
  const usual = baseUrl.startsWith('https:') || isLoopback(baseUrl) ? [known.keyVariable] : [];
  const own = [keyVariable, ...usual].find((variable) => environment[variable]);
  const keyFrom = environment[keyVariable] || shared?.baseUrl !== baseUrl ? own : (shared.keyFrom ?? own);
  if (keyFrom === undefined && !isNearby(baseUrl)) {
    const problem = `No API key for ${provider}:${name} at ${new URL(baseUrl).host}: set ${keyVariable} or ${known.keyVariable}.`;
    throw new Unusable('no_key', known.keyVariable, problem);
  }
  const apiKey = keyFrom === undefined ? undefined : environment[keyFrom];
  if (keyFrom !== undefined && !/^[\x21-\x7e]+$/.test(apiKey ?? '')) {
    const problem = `${keyFrom} holds a blank, a line break or another character that no API key has: set it anew.`;
    throw new Unusable('invalid', keyFrom, problem);
  }
  return { provider, name, baseUrl, ...(keyFrom !== undefined && { keyFrom, apiKey }) };
}

function parseModel(written: string, variable: string): { provider: Provider; name: string } {
  const parsed = splitModel(written);
  if (parsed !== undefined) return parsed;
  const problem = `${variable} must be PROVIDER:NAME with one of the providers ${providerNames()}, for example deepseek:deepseek-v4-flash.`;
  throw new Unusable('invalid', variable, problem);
}

/** `PROVIDER:NAME` with a provider that is known; the name may hold colons, as Ollama's do. */
export function splitModel(written: string): { provider: Provider; name: string } | undefined {
  const at = written.indexOf(':');
  const provider = written.slice(0, Math.max(0, at));
  const name = written.slice(at + 1);
  return Object.hasOwn(PROVIDERS, provider) && /^[^\p{Cc}\s]{1,200}$/u.test(name)
    ? { provider: provider as Provider, name }
    : undefined;
}

/** The variable in which the key of a model's provider usually stands. */
export function usualKeyOf(model: string): string | undefined {
  const parsed = splitModel(model);
  return parsed && PROVIDERS[parsed.provider].keyVariable;
}

function readEffort(environment: Environment): ModelEffort | undefined {
  const written = environment['REMIT_EFFORT'];
  if (!written) return undefined;
  const effort = MODEL_EFFORTS.find((known) => known === written);
  if (effort !== undefined) return effort;
  throw new Unusable('invalid', 'REMIT_EFFORT', `REMIT_EFFORT must be one of ${MODEL_EFFORTS.join(', ')}.`);
}

function readNumber(environment: Environment, variable: string, { whole }: { whole: boolean }): number | undefined {
  const written = environment[variable];
  if (!written) return undefined;
  const value = Number(written);
  if (value > 0 && value <= 1e12 && (!whole || Number.isInteger(value))) return value;
  throw new Unusable('invalid', variable, `${variable} must be a ${whole ? 'whole ' : ''}number greater than 0.`);
}

function readCostLimit(environment: Environment): number | undefined {
  const limit = readNumber(environment, 'REMIT_MAX_COST', { whole: false });
  if (limit === undefined || environment['REMIT_PRICE']) return limit;
  const problem = 'REMIT_MAX_COST needs REMIT_PRICE, for example {"input":0.28,"cachedInput":0.03,"output":0.42}.';
  throw new Unusable('invalid', 'REMIT_PRICE', problem);
}

function readPrice(environment: Environment): Price | undefined {
  const written = environment['REMIT_PRICE'];
  if (!written) return undefined;
  const parsed = priceSchema.safeParse(jsonOf(written));
  if (parsed.success) return parsed.data;
  const problem =
    'REMIT_PRICE must be JSON with the price of a million tokens, for example {"input":0.28,"cachedInput":0.03,"output":0.42,"currency":"USD"}.';
  throw new Unusable('invalid', 'REMIT_PRICE', problem);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
