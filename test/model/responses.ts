/** The OpenAI Responses API as Codex speaks it: items in, items out, and tools that may live in a namespace. */
import { type Json, listOf, type ModelApi, roleOf, type ServerEvent, textOf, USUAL_USAGE } from './model-api.ts';
import { argumentsText, type ModelMessage, type ModelRequest, type SaidTurn, type ScriptedUsage } from './script.ts';

export const responses: ModelApi = {
  serves: (path) => path === '/responses' || path === '/v1/responses',
  read: (body) => ({
    model: String(body['model'] ?? ''),
    stream: body['stream'] === true,
    messages: [
      ...(typeof body['instructions'] === 'string' ? [{ role: 'system' as const, text: body['instructions'] }] : []),
      ...inputItems(body['input']).flatMap(messageOf),
    ],
    toolNames: listOf(body['tools']).flatMap(namesOf),
  }),
  wholeAnswer: (turn, request, sequence) => ({
    ...envelope(request, sequence),
    status: 'completed',
    output: itemsOf(turn, request, sequence),
    usage: usageOf(turn.usage),
  }),
  answerEvents(turn, request, sequence) {
    const whole = responses.wholeAnswer(turn, request, sequence);
    const started = { ...envelope(request, sequence), status: 'in_progress', output: [] };
    return [
      typed('response.created', { response: started }),
      ...itemsOf(turn, request, sequence).flatMap(itemEvents),
      typed('response.completed', { response: whole }),
    ];
  },
};

function inputItems(input: unknown): Json[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listOf(input);
}

function messageOf(item: Json): ModelMessage[] {
  switch (item['type'] ?? 'message') {
    case 'message':
      return [{ role: roleOf(item['role']), text: textOf(item['content']) }];
    case 'function_call':
      return [{ role: 'assistant', text: '' }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', text: textOf(item['output']) }];
    default:
      return [];
  }
}

function namesOf(tool: Json): string[] {
  if (tool['type'] === 'namespace') return listOf(tool['tools']).flatMap(namesOf);
  return typeof tool['name'] === 'string' ? [tool['name']] : [];
}

/** The namespace in which the request offers a tool. */
function namespaceOf(name: string, request: ModelRequest): { namespace?: unknown } {
  const home = listOf(request.body['tools']).find(
    (tool) => tool['type'] === 'namespace' && namesOf(tool).includes(name),
  );
  return home === undefined ? {} : { namespace: home['name'] };
}

function envelope(request: ModelRequest, sequence: number): Json {
  return { id: `resp_${sequence}`, object: 'response', created_at: 0, model: request.model };
}

function itemsOf(turn: SaidTurn, request: ModelRequest, sequence: number): Json[] {
  const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
  const message = { type: 'message', id: `msg_${sequence}`, role: 'assistant', status: 'completed', content };
  const calls = turn.toolCalls.map((call, index) => ({
    type: 'function_call',
    id: `fc_${sequence}_${index}`,
    call_id: `call_${sequence}_${index}`,
    ...namespaceOf(call.name, request),
    name: call.name,
    arguments: argumentsText(call),
    status: 'completed',
  }));
  return turn.text === undefined ? calls : [message, ...calls];
}

/** An item appears empty, says its text (a message only), and is done. */
function itemEvents(item: Json, output_index: number): ServerEvent[] {
  const isMessage = item['type'] === 'message';
  const added = { ...item, status: 'in_progress', ...(isMessage ? { content: [] } : { arguments: '' }) };
  const place = { item_id: item['id'], output_index, content_index: 0 };
  return [
    typed('response.output_item.added', { output_index, item: added }),
    ...(isMessage ? [typed('response.output_text.delta', { ...place, delta: textOf(item['content']) })] : []),
    typed('response.output_item.done', { output_index, item }),
  ];
}

function typed(type: string, members: Json): ServerEvent {
  return { event: type, data: { type, ...members } };
}

function usageOf(usage: ScriptedUsage = USUAL_USAGE): Json {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens ?? 0 },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
