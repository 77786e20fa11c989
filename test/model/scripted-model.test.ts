import { expect, onTestFinished, test } from 'vitest';
import type { ScriptedTurn } from './script.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

async function modelOf(turns: ScriptedTurn[], options: { maxRequests?: number } = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel({ turns, ...options });
  onTestFinished(() => model.close());
  return model;
}

const OFFERED = { tools: [{ type: 'function', function: { name: 'read_file' } }] };

function ask(model: ScriptedModel, text: string, more: Record<string, unknown> = OFFERED, path = '/chat/completions') {
  return post(model, path, { model: 'lab', messages: [{ role: 'user', content: text }], ...more });
}

function post(model: ScriptedModel, path: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${model.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

/** The data of a streamed answer's events, parsed; `[DONE]` is passed over. */
async function eventsOf(response: Response) {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

interface Completion {
  choices: { finish_reason: string; message: { content: string | null; tool_calls?: { function: unknown }[] } }[];
}

async function completion(model: ScriptedModel, text: string): Promise<Completion['choices'][0] | undefined> {
  return ((await (await ask(model, text)).json()) as Completion).choices[0];
}

const READ = { name: 'read_file', arguments: { path: 'a.txt' } };

test('turns are said in order, and after the last one the model says that the script has ended', async () => {
  const model = await modelOf([{ text: 'one' }, { toolCalls: [READ] }]);
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(await completion(model, 'go'));
  expect(answers.map((choice) => [choice?.finish_reason, choice?.message.content])).toEqual([
    ['stop', 'one'],
    ['tool_calls', null],
    ['stop', 'The script of this model has no further turn.'],
  ]);
  expect(answers[1]?.message.tool_calls?.[0]?.function).toEqual({
    name: 'read_file',
    arguments: '{"path":"a.txt"}',
  });
});

test('a turn with a condition waits for the request that fulfils it', async () => {
  const model = await modelOf([{ when: { lastIncludes: 'repair' }, text: 'repaired' }, { text: 'first' }]);
  expect((await completion(model, 'start'))?.message.content).toBe('first');
  expect(model.turnsLeft).toBe(1);
  expect((await completion(model, 'please repair'))?.message.content).toBe('repaired');
});

test('a streamed answer ends with its usage and the end mark, under the /v1 prefix too', async () => {
  const model = await modelOf([
    { text: 'hello', toolCalls: [READ], usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 5 } },
  ]);
  const text = await (await ask(model, 'go', { ...OFFERED, stream: true }, '/v1/chat/completions')).text();
  const events = text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace('data: ', ''));
  expect(events.at(-1)).toBe('[DONE]');
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
  expect(chunks.at(-1).usage).toMatchObject({
    total_tokens: 10,
    prompt_cache_hit_tokens: 5,
    prompt_cache_miss_tokens: 2,
  });
  expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls');
});

test('an answer is held back for as long as its turn says', async () => {
  const gate = Promise.withResolvers<void>();
  const model = await modelOf([{ text: 'late', until: gate.promise }, { text: 'soon' }]);
  const late = completion(model, 'go');
  await expect.poll(() => model.requests.length).toBe(1);
  expect((await completion(model, 'go'))?.message.content).toBe('soon');
  gate.resolve();
  expect((await late)?.message.content).toBe('late');
});

test('requests are kept as they came', async () => {
  const model = await modelOf([]);
  await ask(model, 'hi', { tools: [{ type: 'function', function: { name: 'bash' } }] });
  expect(model.requests).toMatchObject([
    { model: 'lab', messages: [{ role: 'user', text: 'hi' }], toolNames: ['bash'] },
  ]);
});

test('more requests than agreed, another path and a body that is no JSON are refused', async () => {
  const model = await modelOf([], { maxRequests: 1 });
  await ask(model, 'one');
  expect((await ask(model, 'two')).status).toBe(429);
  expect((await ask(model, 'x', {}, '/v1/embeddings')).status).toBe(404);
  expect((await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: 'no' })).status).toBe(400);
});

test('a request that offers no tools takes no turn, unless a turn asks for it by a condition', async () => {
  const model = await modelOf([{ text: 'the work' }, { when: { lastIncludes: 'title' }, text: 'A title' }]);
  const side = async (text: string) => (await (await ask(model, text, {})).json()) as Completion;
  expect((await side('Which topic?')).choices[0]?.message.content).toBe('A scripted model has nothing to add.');
  expect((await side('Give a title')).choices[0]?.message.content).toBe('A title');
  expect((await completion(model, 'go'))?.message.content).toBe('the work');
});

test('the arguments of a call may repeat what a tool result said', async () => {
  const model = await modelOf([
    { toolCalls: ({ messages }) => [{ name: 'read_file', arguments: { path: messages.at(-1)?.text } }] },
  ]);
  const { message } = (await completion(model, 'b.txt')) ?? {};
  expect(message?.tool_calls?.[0]?.function).toMatchObject({ arguments: '{"path":"b.txt"}' });
});

/** The same conversation in every API: the user asked, a tool was called, its result is `42`. */
const CONVERSATIONS = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: {
      ...OFFERED,
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'tool', content: '42' },
      ],
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      tools: [{ type: 'namespace', name: 'mcp__files', tools: [{ type: 'function', name: 'read_file' }] }],
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
        { type: 'reasoning', summary: [] },
        { type: 'function_call', name: 'read_file', call_id: 'c', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '42' },
      ],
    },
  },
  'Anthropic messages': {
    path: '/v1/messages?beta=true',
    body: {
      tools: [{ name: 'read_file' }],
      system: [{ type: 'text', text: 'rules' }],
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read_file', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '42' }] }] },
      ],
    },
  },
  Gemini: {
    path: '/v1beta/models/lab:generateContent',
    body: {
      tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
      systemInstruction: { parts: [{ text: 'rules' }] },
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: '42' } } }] },
      ],
    },
  },
};

test.each(Object.entries(CONVERSATIONS))('a conversation of the API %s is read in common terms', async (_, way) => {
  const model = await modelOf([]);
  await post(model, way.path, way.body);
  expect(model.requests).toMatchObject([
    {
      toolNames: ['read_file'],
      messages: [
        { role: 'system', text: 'rules' },
        { role: 'user', text: 'go' },
        { role: 'assistant', text: '' },
        { role: 'tool', text: '42' },
      ],
    },
  ]);
});

const TURN: ScriptedTurn = {
  text: 'hello',
  toolCalls: [READ],
  usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 5 },
};

test('a Responses answer names the namespace of a tool, streamed and whole', async () => {
  const model = await modelOf([{ ...TURN, times: 2 }]);
  const { path, body } = CONVERSATIONS.responses;
  const call = { type: 'function_call', namespace: 'mcp__files', name: 'read_file', arguments: '{"path":"a.txt"}' };
  const whole = await (await post(model, path, body)).json();
  expect(whole).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'hello' }] }, call] });
  const events = await eventsOf(await post(model, path, { ...body, stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.output_item.added',
    'response.output_text.delta',
    'response.output_item.done',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.at(-2)).toMatchObject({ output_index: 1, item: call });
  expect(events.at(-1).response.usage).toMatchObject({
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 5 },
    output_tokens: 3,
    total_tokens: 10,
  });
});

test('an Anthropic answer is blocks, streamed and whole, and its input leaves out what was cached', async () => {
  const model = await modelOf([{ ...TURN, times: 2 }]);
  const { path, body } = CONVERSATIONS['Anthropic messages'];
  expect(await (await post(model, path, body)).json()).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'hello' },
      { type: 'tool_use', name: 'read_file', input: { path: 'a.txt' } },
    ],
    usage: { input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 3 },
  });
  const events = await eventsOf(await post(model, path, { ...body, stream: true }));
  const deltas = events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta);
  expect(deltas).toEqual([
    { type: 'text_delta', text: 'hello' },
    { type: 'input_json_delta', partial_json: '{"path":"a.txt"}' },
  ]);
  expect(events.slice(-2)).toMatchObject([
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]);
});

test('a Gemini answer has parts, and its path says whether it is streamed', async () => {
  const model = await modelOf([{ ...TURN, times: 2 }]);
  const { path, body } = CONVERSATIONS.Gemini;
  const parts = [{ text: 'hello' }, { functionCall: { name: 'read_file', args: { path: 'a.txt' } } }];
  const answer = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, cachedContentTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 10 },
  };
  expect(await (await post(model, path, body)).json()).toMatchObject(answer);
  const streamed = await post(model, '/v1beta/models/lab:streamGenerateContent?alt=sse', body);
  expect(await eventsOf(streamed)).toMatchObject([answer]);
  expect(model.requests.map(({ model, stream }) => [model, stream])).toEqual([
    ['lab', false],
    ['lab', true],
  ]);
});

test('a question about the size of a request is answered and takes no turn', async () => {
  const model = await modelOf([{ text: 'one' }]);
  const { body } = CONVERSATIONS['Anthropic messages'];
  const counted = await post(model, '/v1/messages/count_tokens?beta=true', body);
  expect(await counted.json()).toEqual({ input_tokens: 100 });
  expect(await (await post(model, '/v1beta/models/lab:countTokens', {})).json()).toEqual({ totalTokens: 100 });
  expect([model.turnsLeft, model.requests.length]).toEqual([1, 0]);
});
