/** The chat completions API as OpenAI-compatible servers speak it: one request read, one turn said, streamed or whole. */
import type { ModelRequest, ScriptedTurn, ScriptedUsage } from './script.ts';

type Json = Record<string, unknown>;

export function isChatCompletions(path: string): boolean {
  return path === '/chat/completions' || path === '/v1/chat/completions';
}

export function readChatRequest(path: string, body: Json, headers: ModelRequest['headers']): ModelRequest {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as Json[]) : [];
  const tools = Array.isArray(body['tools']) ? (body['tools'] as { function?: { name?: string } }[]) : [];
  return {
    path,
    model: typeof body['model'] === 'string' ? body['model'] : '',
    stream: body['stream'] === true,
    messages: messages.map((message) => ({ role: String(message['role']), text: textOf(message['content']) })),
    toolNames: tools.flatMap((tool) => tool.function?.name ?? []),
    body,
    headers,
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

/** The answer to a request with `stream: false`. `sequence` makes ids that repeat from run to run. */
export function wholeAnswer(turn: ScriptedTurn, request: ModelRequest, sequence: number): Json {
  return {
    ...envelope('chat.completion', request, sequence),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: turn.text ?? null, ...toolCallsOf(turn, sequence) },
        finish_reason: finishReason(turn),
      },
    ],
    usage: usageOf(turn.usage),
  };
}

/** The chunks of a streamed answer, each one `data:` event; `[DONE]` follows them. */
export function answerChunks(turn: ScriptedTurn, request: ModelRequest, sequence: number): Json[] {
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

function toolCallsOf(turn: ScriptedTurn, sequence: number): { tool_calls?: Json[] } {
  if (turn.toolCalls === undefined || turn.toolCalls.length === 0) return {};
  return {
    tool_calls: turn.toolCalls.map((call, index) => ({
      id: `call_${sequence}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  };
}

function finishReason(turn: ScriptedTurn): string {
  return turn.toolCalls !== undefined && turn.toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf(usage: ScriptedUsage = { promptTokens: 100, completionTokens: 10 }): Json {
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
