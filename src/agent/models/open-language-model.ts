import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { collectAnswer } from './collect-answer.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { LanguageModel } from './model.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { describeFailure } from './read-failure.ts';
import type { ModelChoice, ModelEffort } from './settings.ts';

/** The longest silence of a model in mid-answer; many stay silent for a minute while they think. */
const SILENCE_MS = 180_000;

export interface ModelOptions {
  readonly effort?: ModelEffort | undefined;
  readonly silenceMs?: number;
}

/** One model over HTTP. Nothing is asked before the first `stream`. */
export function openLanguageModel(
  choice: ModelChoice,
  { effort, silenceMs = SILENCE_MS }: ModelOptions = {},
): LanguageModel {
  const model = providerModel(choice);
  const reasoning = reasoningOf(choice, effort);
  return {
    id: `${choice.provider}:${choice.name}`,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const silence = new Silence(silenceMs);
      const options: LanguageModelV4CallOptions = {
        prompt: promptOf(choice.provider, request),
        tools: toolsOf(choice.provider, request.tools),
        abortSignal: AbortSignal.any([signal, silence.signal]),
        ...(reasoning !== undefined && { reasoning }),
        ...LIMITS[choice.provider],
      };
      try {
        silence.begin();
        const { stream } = await model.doStream(options);
        yield* collectAnswer(stream, () => silence.begin());
      } catch (error) {
        signal.throwIfAborted();
        throw describeFailure(silence.isOver ? silence.signal.reason : error, choice);
      } finally {
        silence.end();
      }
    },
  };
}

function providerModel({ provider, name, baseUrl, apiKey }: ModelChoice): LanguageModelV4 {
  const common = { baseURL: baseUrl.replace(/\/$/, ''), fetch: guardedFetch, ...(apiKey !== undefined && { apiKey }) };
  switch (provider) {
    case 'openai-compatible':
      return createOpenAICompatible({ ...common, name: 'endpoint', includeUsage: true }).chatModel(name);
    case 'anthropic':
      // Without a key its own would be looked for in this process.
      return createAnthropic({ apiKey: 'none', ...common }).languageModel(name);
    case 'deepseek':
      return createDeepSeek({ apiKey: 'none', ...common }).languageModel(name);
  }
}

/**
 * Anthropic must be told how long an answer may be, and of a model that it does not know the SDK tells 4,096 tokens, which cut
 * a longer file off. Others have a limit of their own.
 */
const LIMITS: Readonly<Record<ModelChoice['provider'], Pick<LanguageModelV4CallOptions, 'maxOutputTokens'>>> = {
  anthropic: { maxOutputTokens: 32_000 },
  deepseek: {},
  'openai-compatible': {},
};

/**
 * An endpoint of which nothing is known may refuse to hear of an effort at all, so it hears nothing of the usual one; none
 * beyond `high` is common to all. The others map it themselves; to the SDK, DeepSeek's greatest is another's next to it.
 */
function reasoningOf(
  { provider }: ModelChoice,
  effort: ModelEffort | undefined,
): LanguageModelV4CallOptions['reasoning'] {
  if (provider === 'deepseek' && effort === 'max') return 'xhigh';
  if (provider !== 'openai-compatible') return effort;
  return effort === 'medium' ? undefined : effort === 'max' ? 'high' : effort;
}

/** Ends an answer that says nothing for too long. */
class Silence {
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  begin(): void {
    clearTimeout(this.#timer);
    const reason = () => new Error(`it said nothing for ${Math.round(this.#limitMs / 1000)} s`);
    this.#timer = setTimeout(() => this.#abort.abort(reason()), this.#limitMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
