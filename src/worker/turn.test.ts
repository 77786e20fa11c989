import { describe, expect, test } from 'vitest';
import type { AgentScript, Step } from '../../test/agents/script.ts';
import { isAlive, performSteps, startScripted } from '../../test/agents/scripted-worker.ts';

const WRITE_IN_SCOPE: Step = { do: 'write', path: 'src/y.ts', content: 'y\n', ask: true };
const WRITE_OUTSIDE: Step = { do: 'write', path: 'package.json', content: '{}', ask: true };

describe('permission', () => {
  test.each(['plain', 'reasonix-1.19', 'reasonix-1.38'] as const)(
    'is given in scope and refused outside of it (%s)',
    async (shape) => {
      await using run = await performSteps(
        [WRITE_IN_SCOPE, WRITE_OUTSIDE, { do: 'run', argv: ['node', '--test'], ask: true }],
        { shape },
      );
      expect(run.outcome).toMatchObject({ kind: 'ended', asked: true });
      expect(run.worker.bench.file('src/y.ts')).toBe('y\n');
      expect(run.worker.bench.file('package.json')).toBeUndefined();
      const decisions = run.worker.events.filter((event) => event.type === 'decision');
      expect(decisions.map((event) => event.decision)).toEqual(['allow', 'deny', 'allow']);
    },
  );

  test('an agent that never asks is not stopped here, and the outcome says that it did not ask', async () => {
    await using run = await performSteps([{ ...WRITE_OUTSIDE, ask: false }]);
    expect(run.outcome).toMatchObject({ kind: 'ended', asked: false });
  });

  test('details that come a little later are waited for; details that never come are refused', async () => {
    const late: Step = { ...WRITE_IN_SCOPE, lateMs: 200 };
    const never: Step = { do: 'write', path: 'src/z.ts', content: 'z', ask: true, lateMs: -1 };
    await using run = await performSteps([late, never], {}, { timeouts: { detailMs: 600 } });
    expect(run.worker.bench.file('src/y.ts')).toBe('y\n');
    expect(run.worker.bench.file('src/z.ts')).toBeUndefined();
    expect(run.worker.events).toContainEqual(
      expect.objectContaining({ type: 'decision', clause: expect.stringContaining('not enough information') }),
    );
  });

  test('a title is never read as a command', async () => {
    const toolCall = { title: 'node --test', rawInput: {} };
    await using run = await performSteps(
      [{ do: 'run', argv: ['node', '--test'], ask: true, toolCall }],
      {},
      { timeouts: { detailMs: 50 } },
    );
    expect(run.worker.events).toContainEqual(expect.objectContaining({ type: 'decision', decision: 'deny' }));
  });

  test('a command whose words come late is judged by them alone, whatever its cut title begins like', async () => {
    const late = { ask: true, lateMs: 100, toolCall: { title: 'node --te…' } };
    await using run = await performSteps(
      [
        { do: 'run', argv: ['node', '--test'], ...late },
        { do: 'run', argv: ['touch', 'src/y.ts'], text: 'touch src/y.ts; node --test', ...late },
        { do: 'run', argv: ['touch', 'src/y.ts'], ...late, lateMs: -1 },
      ],
      {},
      { timeouts: { detailMs: 5_000 } },
    );
    const decisions = run.worker.events.filter((event) => event.type === 'decision');
    expect(decisions.map((event) => event.decision)).toEqual(['allow', 'deny', 'deny']);
    expect(run.worker.bench.file('src/y.ts')).toBeUndefined();
  });

  test.each<[string, Step]>([
    ['a read that carries text to write', { ...WRITE_IN_SCOPE, toolCall: { kind: 'read' } } as Step],
    [
      'a location in scope with an input outside',
      { ...WRITE_OUTSIDE, toolCall: { locations: [{ path: 'src/y.ts' }] } } as Step,
    ],
    [
      'a location outside with an input in scope',
      { ...WRITE_IN_SCOPE, toolCall: { locations: [{ path: '/etc/passwd' }] } } as Step,
    ],
    [
      'an edit in scope whose subject is outside',
      {
        ...WRITE_IN_SCOPE,
        toolCall: { _meta: { 'reasonix.io': { subject: 'package.json', tool: 'write_file' } } },
      } as Step,
    ],
    [
      'a static argv that is another command than the text',
      {
        do: 'run',
        argv: ['touch', 'src/y.ts'],
        ask: true,
        toolCall: { _meta: { 'reasonix.io': { argv: ['node', '--test'], subject: 'node --test' } } },
      },
    ],
  ])('%s is refused', async (_, step) => {
    await using run = await performSteps([step], {}, { timeouts: { detailMs: 50 } });
    expect(run.worker.events.filter((event) => event.type === 'decision').map((event) => event.decision)).toEqual([
      'deny',
    ]);
    expect(run.worker.bench.file('src/y.ts')).toBeUndefined();
  });

  test('a lasting permission is never given, not even when nothing else is offered', async () => {
    await using run = await performSteps([{ ...WRITE_IN_SCOPE, offered: ['allow_always', 'reject_always'] }]);
    expect(run.worker.bench.file('src/y.ts')).toBeUndefined();
    await using first = await performSteps([
      { ...WRITE_IN_SCOPE, offered: ['allow_always', 'allow_once', 'reject_once'] },
    ]);
    expect(first.worker.bench.file('src/y.ts')).toBe('y\n');
  });

  test('what policy leaves open is put to the supervisor, whose answer counts once', async () => {
    const step: Step = { ...WRITE_IN_SCOPE };
    const trial = { decide: () => ({ kind: 'ask', clause: 'review each write' }) as const };
    await using allowed = await performSteps([step], {}, { ...trial, answer: () => ({ kind: 'allow' }) });
    expect(allowed.worker.bench.file('src/y.ts')).toBe('y\n');
    expect(allowed.worker.questions).toMatchObject([
      { kind: 'permission', detail: { clause: 'review each write', input: { path: 'src/y.ts' } } },
    ]);
    await using denied = await performSteps(
      [step],
      {},
      { ...trial, answer: () => ({ kind: 'option', optionId: 'allow_always-id' }) },
    );
    expect(denied.worker.bench.file('src/y.ts')).toBeUndefined();
  });

  test('policy that fails is a refusal, not a permission and not a hang', async () => {
    const decide = () => {
      throw new Error('broken');
    };
    await using run = await performSteps([WRITE_IN_SCOPE], {}, { decide });
    expect(run.outcome.kind).toBe('ended');
    expect(run.worker.bench.file('src/y.ts')).toBeUndefined();
  });
});

describe('denials', () => {
  test('the first is explained to an agent that can be steered, the third identical one ends the turn', async () => {
    const step: Step = { ...WRITE_OUTSIDE, times: 5 };
    await using run = await performSteps([step], { shape: 'reasonix-1.38' });
    expect(run.outcome).toMatchObject({
      kind: 'denied_repeatedly',
      action: 'edit package.json',
      decision: { kind: 'deny' },
    });
    expect(run.worker.events.filter((event) => event.type === 'decision')).toHaveLength(3);
    expect(run.worker.bench.memory('steered.txt')?.split('---\n').filter(Boolean)).toHaveLength(1);
    expect(isAlive(run.worker.session().pid)).toBe(false);
  });

  test('of different things do not end the turn', async () => {
    const steps = ['a', 'b', 'c', 'd'].map((name): Step => ({ do: 'write', path: name, content: '', ask: true }));
    await using run = await performSteps(steps);
    expect(run.outcome).toMatchObject({ kind: 'ended' });
  });
});

describe('a question of the agent', () => {
  const ask: Partial<AgentScript> = { shape: 'reasonix-1.38' };
  const steps: Step[] = [{ do: 'question', question: 'Which one?', answers: ['Red', 'Blue'] }];

  test.each([
    [{ kind: 'option', optionId: 'q1:2' }, 'Blue'],
    [{ kind: 'text', text: 'red' }, 'Red'],
    [{ kind: 'deny' }, 'none'],
    [{ kind: 'cancelled' }, 'none'],
  ] as const)('answered with %j chooses %s', async (answer, chosen) => {
    await using run = await performSteps(steps, ask, { answer: () => answer });
    expect(run.outcome).toMatchObject({ kind: 'ended', summary: expect.stringContaining(`[answer] ${chosen}`) });
    expect(run.worker.questions).toMatchObject([
      { kind: 'input', title: 'Which one?', options: [{ name: 'Red' }, { name: 'Blue' }, { name: 'Cancel' }] },
    ]);
  });

  test('answered with other words tells them by steering', async () => {
    await using run = await performSteps(steps, ask, { answer: () => ({ kind: 'text', text: 'a dark green' }) });
    expect(run.worker.bench.memory('steered.txt')).toContain('a dark green');
  });
});

describe('the end of a turn', () => {
  test.each(['cancelled', 'refusal', 'max_tokens', 'max_turn_requests', 'made_up'])(
    'with stop reason %s is told as it is',
    async (stopReason) => {
      await using worker = await startScripted({ prompts: [{ steps: [{ do: 'say', text: 'x' }], stopReason }] });
      expect(await worker.session().prompt('do it')).toMatchObject({ kind: 'ended', stopReason });
    },
  );

  test('without a stop reason is an end too', async () => {
    await using worker = await startScripted({ prompts: [{ steps: [], stopReason: null }] });
    expect(await worker.session().prompt('do it')).toMatchObject({ kind: 'ended', stopReason: 'none' });
  });

  test('with an error of the agent is a protocol error that names it', async () => {
    await using worker = await startScripted({
      prompts: [{ steps: [], error: { code: -32603, message: 'HTTP 401 from the model' } }],
    });
    expect(await worker.session().prompt('do it')).toMatchObject({
      kind: 'protocol_error',
      reason: expect.stringContaining('HTTP 401'),
    });
  });

  test('of a Reasonix carries phase, readiness and the usage of the whole session', async () => {
    const usage = { promptTokens: 100, completionTokens: 10, cacheHitTokens: 60 };
    const prompts = [
      {
        steps: [],
        usage,
        phase: 'readiness_paused',
        readiness: { readyForReview: false, summary: 'no review', risks: ['untested'] },
      },
    ];
    await using worker = await startScripted({ shape: 'reasonix-1.38', prompts });
    await worker.session().prompt('one');
    expect(await worker.session().prompt('two')).toMatchObject({
      kind: 'ended',
      phase: 'readiness_paused',
      readiness: { ready: false, summary: 'no review', risks: ['untested'] },
      usage: {
        promptTokens: 200,
        completionTokens: 20,
        cacheHitTokens: 120,
        cacheHitRatio: 0.6,
        usageSource: 'executor',
      },
    });
    expect(worker.events).toContainEqual({ type: 'phase', phase: 'readiness_paused' });
  });

  test('carries the last message only, with controls escaped and secrets hidden', async () => {
    const steps: Step[] = [
      { do: 'say', text: 'first' },
      WRITE_IN_SCOPE,
      { do: 'say', text: 'key sk-abcdefghijklmnop1234 \u202e\u2028 done' },
    ];
    await using run = await performSteps(steps);
    expect(run.outcome).toMatchObject({
      summary: expect.stringMatching(/key \[redacted\] \\u\{202E\}\\u\{2028\} done$/),
    });
  });

  test('several prompts of one session follow each other', async () => {
    await using worker = await startScripted({
      prompts: [{ steps: [{ do: 'say', text: 'one' }] }, { steps: [{ do: 'say', text: 'two' }] }],
    });
    expect(await worker.session().prompt('1')).toMatchObject({ summary: 'one' });
    expect(await worker.session().prompt('2')).toMatchObject({ summary: 'two' });
  });
});

describe('steering', () => {
  const script: AgentScript = { shape: 'reasonix-1.38', prompts: [{ steps: [{ do: 'wait_for', path: 'go' }] }] };

  test.each([
    ['accepted', 'accepted'],
    ['queued', 'queued'],
    ['error', 'unsupported'],
  ] as const)('answered as %s is %s', async (steer, expected) => {
    await using worker = await startScripted({ ...script, steer });
    const running = worker.session().prompt('do it');
    expect(await worker.session().steer('use tabs')).toBe(expected);
    await worker.session().cancel();
    expect(await running).toEqual({ kind: 'cancelled' });
  });

  test('of an agent that cannot, or without a turn, is unsupported', async () => {
    await using plain = await startScripted({ prompts: [{ steps: [] }] });
    expect(await plain.session().steer('x')).toBe('unsupported');
    await using idle = await startScripted(script);
    expect(await idle.session().steer('x')).toBe('unsupported');
  });
});
