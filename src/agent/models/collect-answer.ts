import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { type AssistantPart, type CallPart, type ModelEvent, ModelFailure, type ModelUsage } from './model.ts';

/** Of one answer, in characters of text, reasoning and arguments together. */
const LONGEST_ANSWER = 8 * 1024 * 1024;
const MOST_CALLS = 256;

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;
type EndReason = Extract<ModelEvent, { kind: 'end' }>['reason'];

/**
 * Hands on what a model says, and at the end all of it as it must be sent back. Throws when the stream ends before the
 * model did: nothing of a call that was cut may count. `heard` is called for everything that comes.
 */
export async function* collectAnswer(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  heard: () => void,
): AsyncGenerator<ModelEvent, void, undefined> {
  const answer = new Answer();
  let finish: Finish | undefined;
  for await (const part of stream) {
    heard();
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') finish = part;
    const event = answer.take(part);
    if (event !== undefined) yield event;
  }
  // Without the provider's own word for its end, the connection was cut.
  if (finish?.finishReason.raw === undefined)
    throw new ModelFailure('transient', 'The answer of the model was cut off before its end.');
  for (const call of answer.calls()) yield call;
  yield {
    kind: 'end',
    reason: reasonOf(finish, answer.calls().length),
    parts: answer.parts(),
    usage: usageOf(finish.usage),
  };
}

class Answer {
  readonly #parts: (AssistantPart & { id?: string })[] = [];
  readonly #open = new Map<string, { kind: 'text' | 'reasoning'; text: string; provider: SharedV4ProviderMetadata }>();
  #length = 0;

  /** What is worth telling at once. A call is told only when the answer is whole. */
  take(part: LanguageModelV4StreamPart): ModelEvent | undefined {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open.set(part.id, { kind: part.type === 'text-start' ? 'text' : 'reasoning', text: '', provider: {} });
        this.#learn(part.id, part.providerMetadata);
        return undefined;
      case 'text-delta':
      case 'reasoning-delta': {
        this.#count(part.delta.length);
        const open = this.#open.get(part.id);
        if (open === undefined) return undefined;
        open.text += part.delta;
        this.#learn(part.id, part.providerMetadata);
        return part.delta === '' ? undefined : { kind: open.kind, text: part.delta };
      }
      case 'text-end':
      case 'reasoning-end':
        this.#learn(part.id, part.providerMetadata);
        this.#close(part.id);
        return undefined;
      case 'tool-input-delta':
        this.#count(part.delta.length);
        return undefined;
      case 'tool-call':
        if (this.calls().length === MOST_CALLS)
          throw new ModelFailure(
            'final',
            `The model made more than ${MOST_CALLS} calls in one answer: it was cut off.`,
          );
        this.#parts.push({
          ...{ kind: 'call', id: part.toolCallId, name: part.toolName, input: part.input },
          ...(part.providerMetadata && { provider: part.providerMetadata }),
        });
        return undefined;
      default:
        return undefined;
    }
  }

  calls(): CallPart[] {
    return this.#parts.filter((part) => part.kind === 'call');
  }

  parts(): AssistantPart[] {
    for (const id of [...this.#open.keys()]) this.#close(id);
    return this.#parts;
  }

  #learn(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    for (const [provider, facts] of Object.entries(metadata ?? {}))
      open.provider[provider] = { ...open.provider[provider], ...facts };
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (open === undefined) return;
    const { kind, text, provider } = open;
    if (kind === 'text' && text !== '') this.#parts.push({ kind, text });
    const isSigned = Object.keys(provider).length > 0;
    if (kind === 'reasoning' && (text !== '' || isSigned))
      this.#parts.push({ kind, text, ...(isSigned && { provider }) });
  }

  #count(characters: number): void {
    this.#length += characters;
    if (this.#length > LONGEST_ANSWER)
      throw new ModelFailure(
        'final',
        `The model’s answer is longer than ${LONGEST_ANSWER} characters: it was cut off.`,
      );
  }
}

function reasonOf({ finishReason }: Finish, calls: number): EndReason {
  if (finishReason.unified === 'length') return 'length';
  if (finishReason.unified === 'content-filter') return 'refusal';
  // Servers differ in what they say of an answer with calls.
  if (calls > 0) return 'calls';
  return finishReason.unified === 'stop' || finishReason.unified === 'tool-calls' ? 'stop' : 'other';
}

/** More than any answer has; what a broken server counts beyond it would end every budget at once. */
const MOST_TOKENS = 1_000_000_000;

/** A count as it can be added to others. */
function count(tokens: number | undefined): number {
  return tokens !== undefined && tokens > 0 ? Math.min(Math.floor(tokens), MOST_TOKENS) : 0;
}

function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): ModelUsage {
  const cachedInput =
    count(inputTokens.cacheRead) ||
    count(numberIn(raw, 'prompt_cache_hit_tokens')) ||
    count(numberIn(raw, 'cached_tokens'));
  const parts = [inputTokens.noCache, inputTokens.cacheRead, inputTokens.cacheWrite].map(count);
  const input = inputTokens.total === undefined ? parts.reduce((sum, part) => sum + part, 0) : count(inputTokens.total);
  return {
    input: Math.max(input, cachedInput),
    cachedInput,
    output: count(outputTokens.total),
    reasoning: count(outputTokens.reasoning),
  };
}

/** Fields of single providers that the common ones leave out. */
function numberIn(raw: Readonly<Record<string, unknown>> | undefined, name: string): number | undefined {
  const value = raw?.[name];
  return typeof value === 'number' ? value : undefined;
}
