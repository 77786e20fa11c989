import { expect, onTestFinished, test } from 'vitest';
import type { ScriptedTurn } from './script.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

async function modelOf(turns: ScriptedTurn[], options: { maxRequests?: number } = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel({ turns, ...options });
  onTestFinished(() => model.close());
  return model;
}

function ask(model: ScriptedModel, text: string, more: Record<string, unknown> = {}, path = '/chat/completions') {
  const body = JSON.stringify({ model: 'lab', messages: [{ role: 'user', content: text }], ...more });
  return fetch(`${model.baseUrl}${path}`, { method: 'POST', body });
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
  const text = await (await ask(model, 'go', { stream: true }, '/v1/chat/completions')).text();
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
  expect((await ask(model, 'x', {}, '/v1/responses')).status).toBe(404);
  expect((await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: 'no' })).status).toBe(400);
});
