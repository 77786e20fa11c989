/** What differs between providers before the first request. */
interface ProviderFacts {
  /** Without one the user must say it. */
  readonly baseUrl?: string;
  /** Where its key usually stands. */
  readonly keyVariable: string;
}

export const PROVIDERS = {
  /** OpenAI's chat completions, as most servers speak them: OpenAI, Ollama, llama.cpp, vLLM, gateways. */
  'openai-compatible': { keyVariable: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' },
  deepseek: { baseUrl: 'https://api.deepseek.com', keyVariable: 'DEEPSEEK_API_KEY' },
} as const satisfies Readonly<Record<string, ProviderFacts>> as Readonly<
  Record<'openai-compatible' | 'anthropic' | 'deepseek', ProviderFacts>
>;

export type Provider = keyof typeof PROVIDERS;

export function providerNames(): string {
  return Object.keys(PROVIDERS).join(', ');
}
