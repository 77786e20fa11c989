/** The chat completions API as OpenAI-compatible servers speak it: one request read, one turn said, streamed or whole. */
import { type Json, listOf, type ModelApi, roleOf, textOf, USUAL_USAGE } from './model-api.ts';
import { argumentsText, type ModelRequest, type SaidTurn, type ScriptedUsage } from './script.ts';

export const chatCompletions: ModelApi = {
  serves: (path) => path === '/chat/completions' || path === '/v1/chat/completions',
  read: (body) => ({
    model: String(body['model'] ?? ''),
    stream: body['stream'] === true,
    messages: listOf(body['messages']).map(({ role, content }) => ({ role: roleOf(role), text: textOf(content) })),
    toolNames: listOf(body['tools']).flatMap((tool) => (tool['function'] as { name?: string } | undefined)?.name ?? []),
  }),
  wholeAnswer: (turn, request, sequence) => ({
    ...envelope('chat.completion', request, sequence),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: turn.text ?? null, ...toolCallsOf(turn, sequence) },
        finish_reason: finishReason(turn),
      },
    ],
    usage: usageOf(turn.usage),
  }),
  answerEvents: (turn, request, sequence) => [
    ...answerChunks(turn, request, sequence).map((data) => ({ data })),
    { data: '[DONE]' },
  ],
};

function answerChunks(turn: SaidTurn, request: ModelRequest, sequence: number): Json[] {
  const head = envelope('chat.completion.chunk', request, sequence);
  const chunk = (delta: Json, finish: string | null = null): Json => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = toolCallsOf(turn, sequence).tool_calls ?? [];
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(turn.text === undefined ? [] : [chunk({ content: turn.text })]),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finishReason(turn)),
    { ...head, choices: [], usage: usageOf(turn.usage) },
  ];
}

function envelope(object: string, request: ModelRequest, sequence: number): Json {
  return { id: `scripted-${sequence}`, object, created: 0, model: request.model };
}

function toolCallsOf(turn: SaidTurn, sequence: number): { tool_calls?: Json[] } {
  if (turn.toolCalls.length === 0) return {};
  return {
    tool_calls: turn.toolCalls.map((call, index) => ({
      id: `call_${sequence}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: argumentsText(call) },
    })),
  };
}

function finishReason(turn: SaidTurn): string {
  return turn.toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf(usage: ScriptedUsage = USUAL_USAGE): Json {
  const cached = usage.cachedTokens ?? 0;
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: cached },
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: usage.promptTokens - cached,
  };
}
