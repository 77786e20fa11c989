import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScriptedTurn } from '../../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../../test/model/scripted-model.ts';
import { toolContracts } from '../tools/registry.ts';
import { callArguments } from './call-arguments.ts';
import { describeSettings } from './describe-settings.ts';
import type { Message, ModelEvent, ModelRequest } from './model.ts';
import { ModelFailure } from './model.ts';
import { type ModelOptions, openLanguageModel } from './open-language-model.ts';
import type { Provider } from './providers.ts';
import { readWorkerSettings } from './settings.ts';

const KEY = 'sk-a-key-that-nobody-may-see';
const TOOLS = toolContracts();
const HELLO: Message = { role: 'user', text: 'hello' };
const PROVIDERS: readonly Provider[] = ['openai-compatible', 'anthropic', 'deepseek'];

async function scripted(turns: ScriptedTurn[]): Promise<ScriptedModel> {
  const model = await startScriptedModel({ turns });
  onTestFinished(() => model.close());
  return model;
}

function ask(provider: Provider, baseUrl: string, request: Partial<ModelRequest> = {}, options: ModelOptions = {}) {
  const path = provider === 'deepseek' ? '' : '/v1';
  const model = openLanguageModel(
    { provider, name: 'lab', baseUrl: `${baseUrl}${path}`, apiKey: KEY, keyFrom: 'X_KEY' },
    options,
  );
  return model.stream(
    { system: 'Be brief.', tools: TOOLS, messages: [HELLO], ...request },
    new AbortController().signal,
  );
}

async function eventsOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function failureOf(stream: AsyncIterable<ModelEvent>): Promise<ModelFailure> {
  const failure = await eventsOf(stream).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ModelFailure);
  const { message } = failure as ModelFailure;
  expect(message).not.toContain(KEY);
  return failure as ModelFailure;
}

describe.each(PROVIDERS)('%s', (provider) => {
  test('tells text as it comes, calls when the answer is whole, and what was used', async () => {
    const usage = { promptTokens: 1000, completionTokens: 20, cachedTokens: 900 };
    const call = { name: 'read_file', arguments: { path: 'a.txt' } };
    const server = await scripted([{ text: 'Looking.', toolCalls: [call], usage }]);
    const events = await eventsOf(ask(provider, server.baseUrl));
    expect(events.filter(({ kind }) => kind === 'text')).toEqual([{ kind: 'text', text: 'Looking.' }]);
    const id = expect.any(String);
    const part = { kind: 'call', id, name: 'read_file', input: '{"path":"a.txt"}' };
    expect(events.at(-2)).toEqual(part);
    expect(events.at(-1)).toEqual({
      kind: 'end',
      reason: 'calls',
      parts: [{ kind: 'text', text: 'Looking.' }, part],
      usage: { input: 1000, cachedInput: 900, output: 20, reasoning: 0 },
    });
  });

  test('is sent the tools as they are, and the key in a header alone', async () => {
    const server = await scripted([{ text: 'done' }]);
    await eventsOf(ask(provider, server.baseUrl));
    const { body, headers, toolNames } = server.requests[0] ?? {};
    expect(toolNames).toEqual(TOOLS.map(({ name }) => name));
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect(JSON.stringify(headers)).toContain(KEY);
    const sent = JSON.stringify(body);
    for (const { description } of TOOLS) expect(sent).toContain(JSON.stringify(description));
  });

  test('sends every byte again in the same place when the conversation grows', async () => {
    const server = await scripted([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    const conversation: Message[] = [HELLO];
    for (let round = 0; round < 3; round += 1) {
      await eventsOf(ask(provider, server.baseUrl, { messages: conversation }));
      conversation.push(
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: `round ${round}` },
            { kind: 'call', id: `c${round}`, name: 'ls', input: '{"path":"src"}' },
            { kind: 'call', id: `d${round}`, name: 'ls', input: 'no JSON' },
          ],
        },
        {
          role: 'tool',
          results: [
            { id: `c${round}`, name: 'ls', text: 'a\nb', isError: false },
            { id: `d${round}`, name: 'ls', text: 'no', isError: true },
          ],
        },
      );
    }
    const bodies = server.requests.map(({ body }) => unmarked(body));
    for (const [at, body] of bodies.entries()) {
      if (at === 0) continue;
      const before = bodies[at - 1] as typeof body;
      expect(JSON.stringify([body.tools, body.system])).toBe(JSON.stringify([before.tools, before.system]));
      expect(JSON.stringify(body.messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
      expect(body.messages.length).toBeGreaterThan(before.messages.length);
    }
  });

  test.each([
    [429, 'transient'],
    [500, 'transient'],
    [503, 'transient'],
    [529, 'transient'],
    [400, 'final'],
    [401, 'final'],
    [404, 'final'],
  ] as const)('a refusal with status %i is %s', async (status, kind) => {
    const server = await scripted([{ fault: { status, message: `no, ${KEY}` } }]);
    const failure = await failureOf(ask(provider, server.baseUrl));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(`${provider}:lab at ${server.baseUrl}`);
    expect(failure.message).toContain(String(status));
    if (kind === 'final') expect(failure.message).toContain('Next: ');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
  ])('the wait that %j asks for is told', async (headers, expected) => {
    const server = await scripted([{ fault: { status: 429, headers } }]);
    expect((await failureOf(ask(provider, server.baseUrl))).retryAfterMs).toBe(expected);
  });

  test('a request that is too long is told apart', async () => {
    const message = "This model's maximum context length is 8192 tokens; prompt is too long";
    const server = await scripted([{ fault: { status: 400, message } }]);
    expect((await failureOf(ask(provider, server.baseUrl))).kind).toBe('too_long');
  });

  test('of an answer that is cut in the middle of a call no call is told', async () => {
    const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'x'.repeat(400) } };
    const server = await scripted([{ text: 'Now.', toolCalls: [call], fault: { cut: true } }]);
    const told: ModelEvent[] = [];
    const failure = await failureOf(watched(ask(provider, server.baseUrl), told));
    expect(failure.kind).toBe('transient');
    expect(told.filter(({ kind }) => kind === 'call' || kind === 'end')).toEqual([]);
  });

  test('nobody there is a failure that may pass', async () => {
    const server = await scripted([]);
    await server.close();
    expect((await failureOf(ask(provider, server.baseUrl))).kind).toBe('transient');
  });

  test('a redirect is not followed, and whoever it points to hears nothing', async () => {
    const target = await scripted([{ text: 'give me more' }]);
    const base = await answering((response) => {
      response.writeHead(307, { location: `${target.baseUrl}/v1/chat/completions` }).end();
    });
    const failure = await failureOf(ask(provider, base));
    expect(failure).toMatchObject({ kind: 'final', message: expect.stringContaining('redirect') });
    expect(target.requests).toEqual([]);
  });

  test('a model that falls silent is given up', async () => {
    const base = await answering((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': wait\n\n');
    });
    const failure = await failureOf(ask(provider, base, {}, { silenceMs: 200 }));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('said nothing') });
  });

  test('an abort ends the answer with its own reason', async () => {
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const server = await scripted([{ text: 'late', until: held.promise }]);
    const model = openLanguageModel({ provider, name: 'lab', baseUrl: `${server.baseUrl}/v1`, apiKey: KEY });
    const abort = new AbortController();
    const asked = eventsOf(model.stream({ system: '', tools: [], messages: [HELLO] }, abort.signal));
    const reason = new Error('the user went home');
    abort.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });
});

test('Anthropic is told to cache up to the end of this request and of the one before, however much stands between', async () => {
  const server = await scripted([{ text: 'done' }]);
  const ids = Array.from({ length: 15 }, (_, at) => `c${at}`);
  const messages: Message[] = [
    HELLO,
    { role: 'assistant', parts: ids.map((id) => ({ kind: 'call', id, name: 'ls', input: '{}' })) },
    { role: 'tool', results: ids.map((id) => ({ id, name: 'ls', text: 'a', isError: false })) },
    { role: 'user', text: 'Only look.' },
  ];
  await eventsOf(ask('anthropic', server.baseUrl, { messages }));
  const { system, messages: sent } = (server.requests[0]?.body ?? {}) as Record<'system' | 'messages', unknown[]>;
  const marked = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;
  expect(marked(system)).toBe(1);
  expect(sent.map(marked)).toEqual([1, 0, 1]);
  expect(JSON.stringify(sent[2])).toMatch(/"Only look\.","cache_control":\{[^}]*\}\}\]\}$/);
});

test('the effort is said in each provider’s own words', async () => {
  const said = async (provider: Provider, effort: 'low' | 'medium' | 'high' | 'max') => {
    const server = await scripted([{ text: 'done' }]);
    await eventsOf(ask(provider, server.baseUrl, {}, { effort }));
    const { reasoning_effort, thinking, output_config, max_tokens } = server.requests[0]?.body ?? {};
    return { reasoning_effort, thinking, output_config, max_tokens };
  };
  expect((await said('openai-compatible', 'low')).reasoning_effort).toBe('low');
  expect((await said('openai-compatible', 'medium')).reasoning_effort).toBeUndefined();
  expect((await said('openai-compatible', 'max')).reasoning_effort).toBe('high');
  expect(await said('deepseek', 'max')).toMatchObject({ reasoning_effort: 'max' });
  expect((await said('anthropic', 'low')).max_tokens).toBeGreaterThanOrEqual(32_000);
  expect(await said('deepseek', 'high')).toMatchObject({ reasoning_effort: 'high', thinking: { type: 'enabled' } });
  const { thinking, output_config } = await said('anthropic', 'high');
  expect(thinking ?? output_config).toBeDefined();
});

test('an answer longer than the bound is cut off', async () => {
  const server = await scripted([{ text: 'x'.repeat(8 * 1024 * 1024 + 1) }]);
  expect((await failureOf(ask('openai-compatible', server.baseUrl))).kind).toBe('final');
});

test('calls whose arguments are no JSON are handed on as they were written', async () => {
  const server = await scripted([{ toolCalls: [{ name: 'ls', arguments: '{"path": ' }] }]);
  const events = await eventsOf(ask('openai-compatible', server.baseUrl));
  expect(events.find(({ kind }) => kind === 'call')).toMatchObject({ input: '{"path": ' });
});

test('calls with the same id are told apart, and what a provider signed goes back with its call', async () => {
  const call = (index: number) => ({
    ...{ index, id: 'call_0', type: 'function', function: { name: 'ls', arguments: `{"path":"${index}"}` } },
    extra_content: { google: { thought_signature: `signed-${index}` } },
  });
  const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`;
  const asked: { messages: { tool_calls?: { id: string; extra_content?: unknown }[] }[] }[] = [];
  const server = createServer(async (request, response) => {
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.setHeader('content-type', 'text/event-stream');
    response.write(chunk({ delta: { tool_calls: [call(0), call(1)] } }));
    response.end(`${chunk({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const end = (await eventsOf(ask('openai-compatible', baseUrl))).at(-1);
  const parts = end?.kind === 'end' ? end.parts : [];
  const ids = parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []));
  expect(new Set(ids).size).toBe(2);
  const results = ids.map((id) => ({ id, name: 'ls', text: '', isError: false }));
  const messages: Message[] = [HELLO, { role: 'assistant', parts }, { role: 'tool', results }];
  await eventsOf(ask('openai-compatible', baseUrl, { messages }));
  const sent = asked[1]?.messages.flatMap((message) => message.tool_calls ?? []);
  expect(sent).toMatchObject(
    ids.map((id, at) => ({ id, extra_content: { google: { thought_signature: `signed-${at}` } } })),
  );
});

describe('the arguments of a call', () => {
  test.each([
    ['', {}],
    ['{"a":"[[[[{{{{\\"[[[["}', { a: '[[[[{{{{"[[[[' }],
    [`{"a":${'['.repeat(63)}${']'.repeat(63)}}`, expect.any(Object)],
  ])('%j are read', (input, value) => {
    expect(callArguments(input)).toEqual({ kind: 'json', value });
  });

  test.each([
    ['{"path": ', 'are no JSON'],
    [`{"a":${'['.repeat(3_000_000)}`, 'are nested more than 64 deep'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'are nested more than 64 deep'],
  ])('are told when they are no use', (input, reason) => {
    expect(callArguments(input)).toEqual({ kind: 'broken', reason: expect.stringContaining(reason) });
  });
});

describe('an endpoint that', () => {
  async function failureAt(answer: (response: ServerResponse) => void): Promise<ModelFailure> {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return failureOf(ask('openai-compatible', `http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  }

  /** More than `most` bytes without an end of line, as long as somebody reads. */
  const flood = (response: ServerResponse, most: number) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    void pipeline(Readable.from(Array.from({ length: most / chunk.length + 8 }, () => chunk)), response).catch(
      () => {},
    );
  };

  test('answers without an end is not listened to for ever', async () => {
    const failure = await failureAt((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      flood(response, 64 * 1024 * 1024);
    });
    expect(failure).toMatchObject({ kind: 'final', message: expect.stringContaining('larger than 67108864 bytes') });
  });

  test('refuses at length is heard in its first words', async () => {
    const failure = await failureAt((response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      flood(response, 64 * 1024 * 1024);
    });
    expect(failure).toMatchObject({ kind: 'final', message: expect.stringContaining('answered 400') });
  });

  test.each([
    ['application/json', '{"error":{"message":"no such model"}}', 'final', 'gave no answer: no such model'],
    ['application/json', '{"error":{"message":"slow down","code":429}}', 'transient', 'gave no answer: slow down'],
    ['text/html', '<h1>Sign in</h1>', 'final', 'no stream of events but <h1>Sign in</h1>'],
  ])('says yes with %s says what it says', async (type, body, kind, told) => {
    const failure = await failureAt((response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(told) });
  });
});

test.each([
  [
    { promptTokens: 1e308, completionTokens: -5 },
    { input: 1e9, output: 0 },
  ],
  [
    { promptTokens: 10.5, completionTokens: 3 },
    { input: 10, output: 3 },
  ],
])('what an endpoint counts is made a number that can be added: %j', async (usage, expected) => {
  const server = await scripted([{ text: 'x', usage }]);
  const end = (await eventsOf(ask('openai-compatible', server.baseUrl))).at(-1);
  expect(end).toMatchObject({ usage: expected });
});

test('an answer of far too many calls is cut off', async () => {
  const toolCalls = Array.from({ length: 257 }, () => ({ name: 'ls', arguments: {} }));
  const server = await scripted([{ toolCalls }]);
  expect((await failureOf(ask('openai-compatible', server.baseUrl))).message).toContain('more than 256 calls');
});

describe('settings', () => {
  const reading = (environment: Record<string, string>) => readWorkerSettings(environment);

  test('hold endpoint, key and limits, and are described without the key', () => {
    const environment = {
      REMIT_MODEL: 'deepseek:deepseek-v4-flash',
      DEEPSEEK_API_KEY: KEY,
      REMIT_REVIEWER_MODEL: 'openai-compatible:qwen3:8b',
      REMIT_REVIEWER_BASE_URL: 'http://127.0.0.1:11434/v1',
      REMIT_EFFORT: 'high',
      REMIT_MAX_REQUESTS: '40',
      REMIT_MAX_COST: '1.5',
      REMIT_PRICE: '{"input":0.28,"output":0.42}',
    };
    const read = reading(environment);
    if (read.kind !== 'configured') throw new Error(read.problem);
    expect(read.settings).toMatchObject({
      author: { provider: 'deepseek', name: 'deepseek-v4-flash', apiKey: KEY, keyFrom: 'DEEPSEEK_API_KEY' },
      reviewer: { provider: 'openai-compatible', name: 'qwen3:8b' },
      budget: { requests: 40, cost: 1.5 },
      price: { input: 0.28, output: 0.42, currency: 'USD' },
      contextTokens: 128_000,
    });
    expect(read.settings.reviewer?.apiKey).toBeUndefined();
    const report = describeSettings(read.settings);
    expect(report.author).toEqual({
      model: 'deepseek:deepseek-v4-flash',
      endpoint: 'https://api.deepseek.com',
      key: 'DEEPSEEK_API_KEY',
    });
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  test('a reviewer of the same provider is reached as the author is, unless it says otherwise', () => {
    const author = { REMIT_MODEL: 'openai-compatible:m', REMIT_BASE_URL: 'https://a.example/v1', REMIT_API_KEY: KEY };
    const reviewerOf = (more: Record<string, string>) => {
      const read = reading({ ...author, ...more });
      return read.kind === 'configured' ? read.settings.reviewer : read;
    };
    const same = { REMIT_REVIEWER_MODEL: 'openai-compatible:other' };
    expect(reviewerOf(same)).toMatchObject({ name: 'other', baseUrl: 'https://a.example/v1', apiKey: KEY });
    const moved = { ...same, REMIT_REVIEWER_BASE_URL: 'https://b.example/v1' };
    expect(reviewerOf(moved)).toMatchObject({ kind: 'no_key' });
    expect(reviewerOf({ ...moved, REMIT_REVIEWER_API_KEY: 'theirs' })).toMatchObject({ apiKey: 'theirs' });
    expect(reviewerOf({ REMIT_REVIEWER_MODEL: 'anthropic:claude' })).toMatchObject({ kind: 'no_key' });
  });

  test('the usual key of a provider crosses no network in the clear', () => {
    const keyAt = (baseUrl: string, more = {}) => {
      const read = reading({
        REMIT_MODEL: 'openai-compatible:m',
        REMIT_BASE_URL: baseUrl,
        OPENAI_API_KEY: KEY,
        ...more,
      });
      return read.kind === 'configured' ? read.settings.author.keyFrom : read;
    };
    expect(keyAt('https://a.example/v1')).toBe('OPENAI_API_KEY');
    expect(keyAt('http://127.0.0.1:8080/v1')).toBe('OPENAI_API_KEY');
    expect(keyAt('http://192.168.1.9:8080/v1')).toBeUndefined();
    expect(keyAt('http://192.168.1.9:8080/v1', { REMIT_API_KEY: KEY })).toBe('REMIT_API_KEY');
  });

  test.each([
    [{}, 'no_model', 'REMIT_MODEL'],
    [{ REMIT_MODEL: 'gpt-5' }, 'invalid', 'openai-compatible, anthropic, deepseek'],
    [{ REMIT_MODEL: 'constructor:x' }, 'invalid', 'openai-compatible, anthropic, deepseek'],
    [{ REMIT_MODEL: 'anthropic:claude' }, 'no_key', 'set REMIT_API_KEY or ANTHROPIC_API_KEY'],
    [{ REMIT_MODEL: 'openai-compatible:m' }, 'invalid', 'REMIT_BASE_URL'],
    [{ REMIT_MODEL: 'openai-compatible:m', REMIT_BASE_URL: 'ftp://x/' }, 'invalid', 'http or https'],
    [{ REMIT_MODEL: 'openai-compatible:m', REMIT_BASE_URL: 'http://api.example.com/v1' }, 'invalid', 'https'],
    [{ REMIT_MODEL: 'openai-compatible:m', REMIT_BASE_URL: 'https://u:p@example.com' }, 'invalid', 'password'],
    [{ REMIT_MODEL: 'anthropic:m', REMIT_API_KEY: KEY, REMIT_EFFORT: 'huge' }, 'invalid', 'low, medium, high, max'],
    [{ REMIT_MODEL: 'anthropic:m', REMIT_API_KEY: KEY, REMIT_MAX_TOKENS: '-1' }, 'invalid', 'REMIT_MAX_TOKENS'],
    [{ REMIT_MODEL: 'anthropic:m', REMIT_API_KEY: `${KEY}\n` }, 'invalid', 'REMIT_API_KEY'],
    [{ REMIT_MODEL: 'anthropic:m', ANTHROPIC_API_KEY: `${KEY}€` }, 'invalid', 'ANTHROPIC_API_KEY'],
    [{ REMIT_MODEL: 'anthropic:m', REMIT_API_KEY: KEY, REMIT_MAX_COST: '2' }, 'invalid', 'REMIT_PRICE'],
    [{ REMIT_MODEL: 'anthropic:m', REMIT_API_KEY: KEY, REMIT_PRICE: 'cheap' }, 'invalid', 'REMIT_PRICE'],
  ] as const)('%j is refused in one sentence', (environment, kind, words) => {
    const read = reading(environment);
    expect(read.kind).toBe(kind);
    if (read.kind === 'configured') return;
    expect(read.problem).toContain(words);
    expect(read.problem).not.toContain(KEY);
    expect(read.problem).not.toContain('\n');
  });
});

/** What is said twice in a request may carry a mark of where to cache, which is no part of the conversation. */
function unmarked(body: Readonly<Record<string, unknown>> | undefined) {
  const text = JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value));
  return JSON.parse(text) as { tools: unknown; system: unknown; messages: unknown[] };
}

async function* watched(stream: AsyncIterable<ModelEvent>, told: ModelEvent[]): AsyncGenerator<ModelEvent> {
  for await (const event of stream) {
    told.push(event);
    yield event;
  }
}

async function answering(answer: (response: import('node:http').ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
