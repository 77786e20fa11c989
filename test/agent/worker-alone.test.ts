/** Under any ACP host: the library's client alone, without file system and terminal. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { factsOf, KEY, newSession, setStage, startWorkerProcess } from './worker-client.ts';

const read = { name: 'read_file', arguments: { path: 'a.txt' } };
const edit = { name: 'edit_file', arguments: { path: 'a.txt', old_string: 'two', new_string: '2' } };
const report = {
  name: 'review_report',
  arguments: { kind: 'review', verdict: 'pass', reviewed_paths: ['a.txt'], findings: [] },
};
const bash = (...argv: string[]) => ({ name: 'bash', arguments: { argv } });
const WORK = [{ toolCalls: [read] }, { toolCalls: [edit] }, { toolCalls: [read] }, { toolCalls: [report] }];

test('a whole task: it asks before each effect, shows what it does, and ends as done', async () => {
  const stage = await setStage([{ text: 'I look.', toolCalls: [read] }, ...WORK.slice(1), { text: 'Two is 2 now.' }]);
  const worker = await startWorkerProcess(stage);
  const answer = await worker.prompt(await newSession(worker, stage.root));
  expect(answer.stopReason).toBe('end_turn');
  expect(factsOf(answer)).toEqual({ phase: 'done' });
  expect((answer as unknown as { usage: unknown }).usage).toMatchObject({ inputTokens: 500, outputTokens: 50 });
  expect(readFileSync(join(stage.root, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  expect(worker.said()).toBe('I look.Two is 2 now.');
  expect(worker.asked.map(({ toolCall }) => [toolCall.title, toolCall.kind, toolCall.locations])).toEqual([
    ['edit_file a.txt', 'edit', [{ path: join(stage.root, 'a.txt') }]],
  ]);
  const calls = worker.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  expect(calls.map(({ title, kind }) => [title, kind])).toEqual([
    ['read_file a.txt', 'read'],
    ['edit_file a.txt', 'edit'],
    ['read_file a.txt', 'read'],
    ['review_report', 'think'],
  ]);
  expect(JSON.stringify([worker.updates, worker.stderr()])).not.toContain(KEY);
});

test('what the user rejects does not happen, and the model is told', async () => {
  const stage = await setStage([{ toolCalls: [read] }, { toolCalls: [edit] }, { text: 'Then not.' }]);
  const worker = await startWorkerProcess(stage, { allow: () => false });
  const answer = await worker.prompt(await newSession(worker, stage.root));
  expect(factsOf(answer)).toEqual({ phase: 'done' });
  expect(readFileSync(join(stage.root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  expect(stage.model.requests.at(-1)?.messages.at(-1)?.text).toContain('denied by the user');
});

test('changed work without a report ends as readiness_paused, with the call that is missing', async () => {
  const stage = await setStage([{ toolCalls: [read] }, { toolCalls: [edit] }, { text: 'Done, trust me.', times: 9 }]);
  const worker = await startWorkerProcess(stage);
  const answer = await worker.prompt(await newSession(worker, stage.root));
  expect(factsOf(answer)).toMatchObject({
    phase: 'readiness_paused',
    reason: expect.stringContaining('Call review_report'),
  });
  expect(worker.said()).toMatch(/^Done, trust me\.(?:\n\nDone, trust me\.)+$/);
});

test('what comes in thousands of pieces is told whole, in far fewer', async () => {
  const words = Array.from({ length: 5_000 }, (_, at) => `w${at} `);
  const delta = (choice: object) => `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    const pieces = words.map((content) => delta({ delta: { content } }));
    response.end(`${pieces.join('')}${delta({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const stage = await setStage([]);
  const { port } = server.address() as AddressInfo;
  const environment = { ...stage.environment, REMIT_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const worker = await startWorkerProcess(stage, { environment });
  await worker.prompt(await newSession(worker, stage.root));
  expect(worker.said()).toBe(words.join(''));
  const told = worker.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  expect(told.length).toBeLessThan(words.length / 5);
});

test('a cancel ends the turn while the model is still silent', async () => {
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const stage = await setStage([{ text: 'never', until: held.promise }]);
  const worker = await startWorkerProcess(stage);
  const sessionId = await newSession(worker, stage.root);
  const prompted = worker.prompt(sessionId);
  await expect.poll(() => stage.model.requests.length).toBe(1);
  await worker.agent.notify('session/cancel', { sessionId });
  expect(await prompted).toMatchObject({ stopReason: 'cancelled' });
});

test('guidance is heard in mid-turn', async () => {
  const held = Promise.withResolvers<void>();
  const stage = await setStage([{ toolCalls: [read], until: held.promise }, { text: 'As you say.' }]);
  const worker = await startWorkerProcess(stage);
  const sessionId = await newSession(worker, stage.root);
  const prompted = worker.prompt(sessionId);
  await expect.poll(() => stage.model.requests.length).toBe(1);
  const prompt = [{ type: 'text', text: 'Only look.' }];
  expect(await worker.agent.request('_remit/steer', { sessionId, prompt })).toEqual({ disposition: 'accepted' });
  held.resolve();
  await prompted;
  expect(stage.model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'Only look.' });
});

test('killed in the middle of a command, it goes on without running it again', async () => {
  const script =
    "import { appendFileSync } from 'node:fs'; appendFileSync('log.txt', 'ran\\n'); await new Promise((r) => setTimeout(r, 60_000));";
  const stage = await setStage([{ toolCalls: [bash(process.execPath, 'slow.mjs')] }, { text: 'I see.', times: 9 }], {
    'slow.mjs': script,
    'untouched.txt': 'as it was\n',
  });
  const first = await startWorkerProcess(stage);
  const sessionId = await newSession(first, stage.root);
  first.prompt(sessionId).catch(() => {});
  const log = join(stage.root, 'log.txt');
  await expect.poll(() => existsSync(log), { timeout: 20_000 }).toBe(true);
  await first.kill();

  const second = await startWorkerProcess(stage);
  await second.agent.request('session/load', { sessionId, cwd: stage.root, mcpServers: [] });
  expect(second.said('user_message_chunk')).toBe('Do the task.');
  const end = factsOf(await second.prompt(sessionId, 'Go on.'));
  expect(readFileSync(log, 'utf8')).toBe('ran\n');
  // What the command had made by then is a change of the work.
  expect(end).toMatchObject({ phase: 'readiness_paused', reason: expect.stringContaining('log.txt was not read') });
  expect(JSON.stringify(end)).not.toContain('untouched.txt');
  const told = stage.model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.text;
  expect(told).toContain('was not repeated');
  const { sessions } = await second.agent.request('session/list', { cwd: stage.root });
  expect(sessions).toMatchObject([{ sessionId, title: 'Do the task.' }]);
});

test('a command cannot reach the worker’s own streams', async () => {
  const script = `
    import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
    const seen = [];
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'FORGED' } };
    const forged = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'any', update } };
    for (const pid of readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
      try { seen.push(readFileSync('/proc/' + pid + '/environ', 'latin1')); } catch {}
      try { writeFileSync('/proc/' + pid + '/fd/1', JSON.stringify(forged) + '\\n'); } catch {}
    }
    console.log(seen.join('\\n').includes('${KEY}') ? 'KEY FOUND' : 'no key');`;
  const stage = await setStage([{ toolCalls: [bash(process.execPath, 'forge.mjs')] }, { text: 'Tried.' }], {
    'forge.mjs': script,
  });
  const worker = await startWorkerProcess(stage);
  await worker.prompt(await newSession(worker, stage.root));
  const result = stage.model.requests.at(-1)?.messages.at(-1)?.text;
  expect(result).toContain('no key');
  expect(worker.said()).toBe('Tried.');
});

describe('what a client does wrong', () => {
  test('is refused in a sentence, and the worker lives on', async () => {
    const stage = await setStage([{ text: 'Fine.', times: 3 }]);
    const worker = await startWorkerProcess(stage);
    const { agent } = worker;
    const wrong = 'c0ffee00-0000-0000-0000-000000000000';
    await expect(worker.prompt(wrong)).rejects.toThrow('no such open session');
    await expect(agent.request('session/load', { sessionId: wrong, cwd: stage.root, mcpServers: [] })).rejects.toThrow(
      'no such session',
    );
    await expect(
      agent.request('session/load', { sessionId: '../../x', cwd: stage.root, mcpServers: [] }),
    ).rejects.toThrow('no such session');
    for (const cwd of [join(stage.root, 'absent'), join(stage.root, 'a.txt'), '.', '/'])
      await expect(newSession(worker, cwd)).rejects.toThrow('absolute path of a folder');
    const sessionId = await newSession(worker, stage.root);
    await expect(agent.request('session/prompt', { sessionId, prompt: 'text' } as never)).rejects.toThrow();
    await expect(agent.request('session/prompt', { sessionId, prompt: [] })).rejects.toThrow('no text');
    await expect(
      agent.request('session/set_config_option', { sessionId, configId: 'effort', value: 'huge' }),
    ).rejects.toThrow('low, medium, high, max');
    await expect(agent.request('_remit/steer', { sessionId: 7 })).rejects.toThrow();
    await expect(agent.request('fs/nothing', {})).rejects.toThrow();
    expect(factsOf(await worker.prompt(sessionId))).toEqual({ phase: 'done' });
  });

  test('a second prompt is refused while one runs', async () => {
    const held = Promise.withResolvers<void>();
    const stage = await setStage([{ text: 'slow', until: held.promise }]);
    const worker = await startWorkerProcess(stage);
    const sessionId = await newSession(worker, stage.root);
    const first = worker.prompt(sessionId);
    await expect.poll(() => stage.model.requests.length).toBe(1);
    await expect(worker.prompt(sessionId)).rejects.toThrow('still running');
    held.resolve();
    expect((await first).stopReason).toBe('end_turn');
  });

  test('the end of its input ends the worker', async () => {
    const stage = await setStage([]);
    const worker = await startWorkerProcess(stage);
    await newSession(worker, stage.root);
    const code = new Promise((resolve) => worker.process.once('exit', resolve));
    worker.process.stdin.end();
    expect(await code).toBe(0);
  });
});

test.each([
  [{ REMIT_MODEL: '' }, 'No model is configured'],
  [{ REMIT_MODEL: 'anthropic:claude', REMIT_API_KEY: '', REMIT_BASE_URL: '' }, 'No API key'],
  [{ REMIT_MODEL: 'what' }, 'PROVIDER:NAME'],
])('without a usable model (%j) a session is refused in one sentence', async (change, words) => {
  const stage = await setStage([]);
  const worker = await startWorkerProcess(stage, { environment: { ...stage.environment, ...change } });
  await expect(newSession(worker, stage.root)).rejects.toThrow(words);
});

test('its effort is set as the client says', async () => {
  const stage = await setStage([{ text: 'Fine.' }]);
  const worker = await startWorkerProcess(stage);
  const sessionId = await newSession(worker, stage.root);
  const { configOptions } = await worker.agent.request('session/set_config_option', {
    sessionId,
    configId: 'effort',
    value: 'high',
  });
  expect(configOptions).toMatchObject([{ id: 'effort', currentValue: 'high' }]);
  await worker.prompt(sessionId);
  expect(stage.model.requests[0]?.body['reasoning_effort']).toBe('high');
});
