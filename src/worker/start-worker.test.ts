import { describe, expect, test } from 'vitest';
import { openAgentBench } from '../../test/agents/agent-bench.ts';
import type { AgentScript } from '../../test/agents/script.ts';
import { isAlive, startScripted } from '../../test/agents/scripted-worker.ts';

const SAY: AgentScript = { prompts: [{ steps: [{ do: 'say', text: 'hello' }] }] };

describe('starting a worker', () => {
  test('a plain agent starts, answers a prompt and is gone after the stop', async () => {
    await using worker = await startScripted(SAY);
    const session = worker.session();
    expect(session.agent).toEqual({ name: 'scripted', version: '1.0.0' });
    expect(await session.prompt('do it')).toMatchObject({
      kind: 'ended',
      stopReason: 'end_turn',
      asked: false,
      summary: 'hello',
    });
    expect(worker.bench.memory('prompt-0.txt')).toBe('do it');
    await session.stop();
    expect(isAlive(session.pid)).toBe(false);
    expect((await session.exited).outcome).toEqual({ kind: 'exited', exitCode: 0 });
  });

  test('a program that is not installed is unavailable, with how to get it', async () => {
    await using worker = await startScripted(SAY, { adapter: 'reasonix', command: ['/nowhere/reasonix'] });
    expect(worker.refusal?.failure).toBe('unavailable');
    expect(worker.refusal?.reason).toMatch(/was not found[\s\S]*npm install -g reasonix/);
  });

  test('an agent of another protocol version is incompatible', async () => {
    await using worker = await startScripted({ ...SAY, protocolVersion: 2 });
    expect(worker.refusal).toMatchObject({ failure: 'incompatible', reason: expect.stringContaining('version 2') });
  });

  test('an agent that does not answer initialize or session/new is given up after its time', async () => {
    await using silent = await startScripted(
      { ...SAY, initialize: 'silent' },
      { timeouts: { initializeMs: 300, stopMs: 300 } },
    );
    expect(silent.refusal).toMatchObject({
      failure: 'unavailable',
      reason: expect.stringContaining('did not answer initialize'),
    });
    await using later = await startScripted(
      { ...SAY, newSession: 'silent' },
      { timeouts: { sessionMs: 300, stopMs: 300 } },
    );
    expect(later.refusal).toMatchObject({ failure: 'unavailable', reason: expect.stringContaining('session/new') });
  });

  test('an agent that dies at the start says why in its own last words, without its secrets', async () => {
    await using worker = await startScripted({ ...SAY, initialize: 'exit' });
    expect(worker.refusal?.failure).toBe('unavailable');
    expect(worker.refusal?.reason).toContain(
      'exited with code 3; its last lines: fatal: cannot start, token=[redacted]',
    );
  });

  test('a program that is no agent at all is named with what it printed', async () => {
    await using worker = await startScripted({ ...SAY, initialize: 'noise' });
    expect(worker.refusal?.reason).toContain('Usage: some-tool');
  });

  test('an end before the first answer that is the failure of the confinement is told as that', async () => {
    const launcherFailure = (stderr: string) =>
      stderr.startsWith('boxer: ') ? { reason: stderr, advice: 'Mend the box.' } : undefined;
    const launch = (says: string) => () => ({
      argv: ['/bin/sh', '-c', `echo "${says}" >&2; exit 1`],
      env: {},
      cwd: '/',
    });
    await expect(startScripted(SAY, { launcherFailure, launch: launch('boxer: no user map') })).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringMatching(/boxer: no user map. Mend the box/),
    });
    await using worker = await startScripted(SAY, { launcherFailure, launch: launch('fatal: no model') });
    expect(worker.refusal).toMatchObject({ failure: 'unavailable', reason: expect.stringContaining('no model') });
  });

  test('a refusal names the files of the home that the agent had to do without', async () => {
    await using worker = await startScripted({ ...SAY, newSession: 'never' }, { leftOut: ['.codex/auth.json'] });
    expect(worker.refusal?.reason).toContain('not copied: .codex/auth.json (');
  });

  test('a session that cannot be opened is unavailable with the error of the agent', async () => {
    await using worker = await startScripted({ ...SAY, newSession: 'error' });
    expect(worker.refusal).toMatchObject({ failure: 'unavailable', reason: expect.stringContaining('no such model') });
  });

  test('a start that is aborted leaves nothing behind', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    await using worker = await startScripted({ ...SAY, newSession: 'silent' }, { signal: abort.signal });
    expect(worker.refusal?.reason).toContain('was stopped while it started');
  });
});

describe('a login', () => {
  const key = { id: 'api-key', name: 'Use an API key' };
  const browser = { id: 'oauth', name: 'Log in with your browser' };

  test('by a method that needs nobody is tried once when the agent asks for one', async () => {
    await using worker = await startScripted({ ...SAY, newSession: 'auth', authMethods: [browser, key] });
    expect(await worker.session().prompt('do it')).toMatchObject({ kind: 'ended' });
  });

  test('that needs a browser is refused without opening one', async () => {
    await using worker = await startScripted({ ...SAY, newSession: 'auth', authMethods: [browser] });
    expect(worker.refusal).toMatchObject({
      failure: 'unavailable',
      reason: expect.stringContaining('log in to the agent first'),
    });
  });

  test('that reads a variable is tried only when the variable is set', async () => {
    const authMethods = [{ id: 'env', name: 'Variable', type: 'env_var', vars: [{ name: 'LAB_KEY' }] }];
    await using without = await startScripted({ ...SAY, newSession: 'auth', authMethods });
    expect(without.refusal?.reason).toContain('log in to the agent first');
    const environment = { PATH: process.env['PATH'] ?? '', LAB_KEY: 'k' };
    await using given = await startScripted({ ...SAY, newSession: 'auth', authMethods }, { environment });
    expect(given.refusal).toBeUndefined();
  });

  test('that never ends, fails, or does not help is refused in bounded time', async () => {
    const script: AgentScript = { ...SAY, newSession: 'auth', authMethods: [key] };
    const timeouts = { authenticateMs: 300, stopMs: 300 };
    await using silent = await startScripted({ ...script, authenticate: 'silent' }, { timeouts });
    await using failing = await startScripted({ ...script, authenticate: 'error' });
    await using useless = await startScripted({ ...script, newSession: 'never' });
    for (const { refusal } of [silent, failing, useless]) {
      expect(refusal).toMatchObject({
        failure: 'unavailable',
        reason: expect.stringContaining('log in to the agent first'),
      });
    }
  });
});

describe('mode, lane and effort', () => {
  test.each([
    ['fast', { mode: 'normal', workMode: 'economy' }],
    ['deep', { mode: 'goal', workMode: 'delivery' }],
  ] as const)('of an older Reasonix in lane %s are its work mode and mode', async (lane, expected) => {
    await using worker = await startScripted({ ...SAY, shape: 'reasonix-1.19' }, { lane, effort: 'high' });
    expect(worker.session()).toMatchObject({ ...expected, effort: 'high' });
    expect(worker.events[0]).toMatchObject({ type: 'session', notOffered: [] });
  });

  test('of a present Reasonix in lane fast are the mode and the effort', async () => {
    await using worker = await startScripted({ ...SAY, shape: 'reasonix-1.38' }, { effort: 'max' });
    expect(worker.session()).toMatchObject({ mode: 'normal', workMode: 'standard', effort: 'max' });
  });

  test('of a present Reasonix in lane deep are mode goal for every prompt, without the effort that would break it', async () => {
    await using worker = await startScripted({ ...SAY, shape: 'reasonix-1.38' }, { lane: 'deep', effort: 'max' });
    expect(worker.session()).toMatchObject({ mode: 'goal', workMode: 'standard', effort: 'auto' });
    expect(worker.events[0]).toMatchObject({ notOffered: [expect.stringContaining('effort max')] });
    expect(await worker.session().prompt('one')).toMatchObject({ kind: 'ended' });
    expect(await worker.session().prompt('two')).toMatchObject({ kind: 'ended' });
    expect([worker.bench.memory('mode-0'), worker.bench.memory('mode-1')]).toEqual(['goal', 'goal']);
  });

  test('a Reasonix that offers no setting in which it asks is incompatible', async () => {
    const options = { tool_approval: ['workspace-write', 'danger-full-access'] };
    await using worker = await startScripted({ ...SAY, shape: 'reasonix-1.38', options });
    expect(worker.refusal).toMatchObject({ failure: 'incompatible', reason: expect.stringContaining('tool_approval') });
  });

  test('a Reasonix that accepts the setting but does not change it is incompatible', async () => {
    await using worker = await startScripted({ ...SAY, shape: 'reasonix-1.38', setOption: 'ignore' });
    expect(worker.refusal?.failure).toBe('incompatible');
  });

  test.each([
    [['auto', 'acceptEdits', 'default', 'plan'], 'default'],
    [['agent', 'read-only', 'agent-full-access'], 'read-only'],
    [['build', 'plan'], 'build'],
  ])('of another agent with the modes %j is the most asking one', async (modes, expected) => {
    await using worker = await startScripted({ ...SAY, modes });
    expect(worker.session().mode).toBe(expected);
  });

  test('an agent without any of it starts, and what it does not offer is reported', async () => {
    await using worker = await startScripted(SAY);
    expect(worker.events[0]).toMatchObject({
      type: 'session',
      notOffered: ['mode read-only or default or ask', 'effort medium'],
    });
  });
});

describe('going back into a session', () => {
  async function resumed(first: Partial<AgentScript>, then: Partial<AgentScript>, timeouts = {}) {
    using bench = openAgentBench();
    const prompts = SAY.prompts;
    const before = await startScripted({ prompts, resume: 'both', ...first }, { bench });
    const { sessionId } = before.session();
    await before.session().stop();
    await using after = await startScripted(
      { prompts, resume: 'both', ...first, ...then },
      { bench, resume: { sessionId }, timeouts },
    );
    const session = after.session();
    const outcome = await session.prompt('go on');
    return { same: session.sessionId === sessionId, contextLost: session.contextLost, outcome, events: after.events };
  }

  test('works by resume and by load, and the context counts as kept when the agent lists it', async () => {
    expect(await resumed({}, {})).toMatchObject({ same: true, contextLost: false });
    expect(await resumed({ resume: 'load' }, {})).toMatchObject({ same: true, contextLost: false });
    expect(await resumed({ resume: 'resume', shape: 'reasonix-1.38' }, {})).toMatchObject({
      same: true,
      contextLost: false,
    });
  });

  test('an agent that answers {} for any id has proven nothing: the context counts as lost', async () => {
    expect(await resumed({}, { resumed: 'empty' })).toMatchObject({ contextLost: true });
  });

  test('a replay of two thousand old messages is no new activity', async () => {
    const { outcome, events, contextLost } = await resumed({ resume: 'load' }, { resumed: 'replay', replayed: 2_000 });
    expect(contextLost).toBe(false);
    expect(outcome).toMatchObject({ kind: 'ended', summary: 'hello', asked: false });
    expect(events.filter((event) => event.type === 'tool_call' || event.type === 'message')).toEqual([
      { type: 'message', text: 'hello' },
    ]);
  });

  test('an agent that refuses, cannot, hangs or dies on the way back gets a new session with the context lost', async () => {
    const timeouts = { sessionMs: 500, stopMs: 300 };
    for (const then of [{ resumed: 'error' }, { resume: 'none' }] as const) {
      expect(await resumed({}, then)).toMatchObject({ same: false, contextLost: true });
    }
    for (const then of [{ resumed: 'silent' }, { resumed: 'exit' }] as const) {
      expect(await resumed({}, then, timeouts)).toMatchObject({
        same: false,
        contextLost: true,
        outcome: { kind: 'ended' },
      });
    }
  });
});
