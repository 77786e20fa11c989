/** The Anthropic Messages API: content blocks in and out, streamed or whole. */
import { type Json, listOf, type ModelApi, roleOf, type ServerEvent, textOf, USUAL_USAGE } from './model-api.ts';
import type { ModelMessage, ModelRequest, SaidTurn, ScriptedUsage } from './script.ts';

export const anthropicMessages: ModelApi = {
  serves: (path) => path === '/v1/messages',
  read: (body) => ({
    model: String(body['model'] ?? ''),
    stream: body['stream'] === true,
    messages: [
      ...(body['system'] === undefined ? [] : [{ role: 'system' as const, text: textOf(body['system']) }]),
      ...listOf(body['messages']).flatMap(messagesOf),
    ],
    toolNames: listOf(body['tools']).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  }),
  wholeAnswer: (turn, request, sequence) => ({
    ...envelope(request, sequence),
    content: blocksOf(turn, sequence),
    ...endOf(turn),
    usage: usageOf(turn.usage),
  }),
  answerEvents: (turn, request, sequence) => [
    typed('message_start', {
      message: { ...envelope(request, sequence), content: [], stop_reason: null, usage: usageOf(turn.usage) },
    }),
    ...blocksOf(turn, sequence).flatMap(blockEvents),
    typed('message_delta', { delta: endOf(turn), usage: { output_tokens: usageOf(turn.usage)['output_tokens'] } }),
    typed('message_stop', {}),
  ],
  countsTokens: (path) =>
    path === '/v1/messages/count_tokens' ? { input_tokens: USUAL_USAGE.promptTokens } : undefined,
};

/** The results of tools come inside a user's message, sometimes with reminders around them: the results are the last. */
function messagesOf({ role, content }: Json): ModelMessage[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const spoken = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...(spoken.length > 0 || results.length === 0 ? [{ role: roleOf(role), text: textOf(spoken) }] : []),
    ...results.map((result) => ({ role: 'tool' as const, text: textOf((result as Json)['content']) })),
  ];
}

function envelope(request: ModelRequest, sequence: number): Json {
  return { id: `msg_${sequence}`, type: 'message', role: 'assistant', model: request.model };
}

function blocksOf(turn: SaidTurn, sequence: number): Json[] {
  return [
    ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
    ...turn.toolCalls.map((call, index) => ({
      type: 'tool_use',
      id: `toolu_${sequence}_${index}`,
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function blockEvents(block: Json, index: number): ServerEvent[] {
  const isText = block['type'] === 'text';
  return [
    typed('content_block_start', { index, content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) } }),
    typed('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block['text'] }
        : {
            type: 'input_json_delta',
            partial_json: typeof block['input'] === 'string' ? block['input'] : JSON.stringify(block['input']),
          },
    }),
    typed('content_block_stop', { index }),
  ];
}

function typed(type: string, members: Json): ServerEvent {
  return { event: type, data: { type, ...members } };
}

function endOf(turn: SaidTurn): Json {
  return { stop_reason: turn.toolCalls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
}

/** This API does not count what was read from the cache into its input tokens. */
function usageOf(usage: ScriptedUsage = USUAL_USAGE): Json {
  const cached = usage.cachedTokens ?? 0;
  return {
    input_tokens: usage.promptTokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: usage.completionTokens,
  };
}
