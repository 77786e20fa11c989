import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAgentBench } from '../../test/agents/agent-bench.ts';
import type { Step } from '../../test/agents/script.ts';
import { isAlive, performSteps, startScripted } from '../../test/agents/scripted-worker.ts';

const WAIT: Step = { do: 'wait_for', path: 'never' };
const SHORT = { timeouts: { cancelMs: 300, stopMs: 300 } };

describe('a cancel', () => {
  test.each(['answer', 'ignore', 'error', 'keep_writing', 'late_end_turn', 'ask'] as const)(
    'that the agent takes as %s ends the turn as cancelled, with the process gone and nothing written after',
    async (cancel) => {
      await using worker = await startScripted(
        { cancel, prompts: [{ steps: [{ do: 'mkdir', path: 'src/begun' }, WAIT] }] },
        SHORT,
      );
      const running = worker.session().prompt('do it');
      await expect.poll(() => worker.bench.file('src/x.ts') && worker.bench.memory('prompts')).toBe('1');
      await worker.session().cancel();
      expect(await running).toEqual({ kind: 'cancelled' });
      expect(isAlive(worker.session().pid)).toBe(false);
      const late = worker.bench.file('src/late');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(worker.bench.file('src/late')).toBe(late);
      expect(worker.questions).toEqual([]);
    },
  );

  test('answers a permission that is open at the supervisor as cancelled', async () => {
    let withdrawn = false;
    const answer = (_: unknown, signal: AbortSignal) =>
      new Promise<{ kind: 'cancelled' }>((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn = true;
          resolve({ kind: 'cancelled' });
        });
      });
    const steps: Step[] = [{ do: 'write', path: 'src/y.ts', content: '', ask: true }, WAIT];
    await using worker = await startScripted(
      { prompts: [{ steps }] },
      { ...SHORT, answer, decide: () => ({ kind: 'ask', clause: 'c' }) },
    );
    const running = worker.session().prompt('do it');
    await expect.poll(() => worker.questions.length).toBe(1);
    await worker.session().cancel();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(withdrawn).toBe(true);
    expect(worker.bench.file('src/y.ts')).toBeUndefined();
  });

  test('of an agent that ignores SIGTERM and the end of its input still ends it', async () => {
    await using worker = await startScripted(
      { cancel: 'ignore', ignoreSigterm: true, ignoreEnd: true, prompts: [{ steps: [WAIT] }] },
      SHORT,
    );
    const running = worker.session().prompt('do it');
    await worker.session().stop();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(isAlive(worker.session().pid)).toBe(false);
  });
});

describe('an agent that dies in the middle of a turn', () => {
  test.each<[string, Step[], RegExp]>([
    [
      'with an exit code',
      [
        { do: 'stderr', text: 'panic: api_key=abcdef123456\n' },
        { do: 'sleep', ms: 50 },
        { do: 'exit', code: 1 },
      ],
      /exited with code 1; its last lines: panic: api_key=\[redacted\]/,
    ],
    ['by a signal', [{ do: 'kill_self', signal: 'SIGKILL' }], /was ended by SIGKILL/],
    [
      'with a stack trace on stdout',
      [
        { do: 'stdout', text: 'Error: boom\n    at x (y.js:1:1)\n' },
        { do: 'exit', code: 7 },
      ],
      /exited with code 7; its last lines: Error: boom/,
    ],
    ['by closing its output and living on', [{ do: 'close_stdout' }], /closed its output but lives on/],
  ])('%s gives the reason and leaves no process', async (_, steps, reason) => {
    await using run = await performSteps([{ do: 'write', path: 'src/kept', content: '1' }, ...steps], {}, SHORT);
    expect(run.outcome).toMatchObject({ kind: 'exited', reason: expect.stringMatching(reason) });
    expect(run.worker.bench.file('src/kept')).toBe('1');
    expect(isAlive(run.worker.session().pid)).toBe(false);
  });
});

describe('garbage and floods', () => {
  test('lines on stdout that are no protocol are passed over', async () => {
    const steps: Step[] = [
      { do: 'stdout', text: 'warning: slow\n\n[]\n{"a":1}\nnull\n{"jsonrpc":"2.0","id":99,"result":{}}\n' },
      { do: 'say', text: 'fine' },
    ];
    await using run = await performSteps(steps);
    expect(run.outcome).toMatchObject({ kind: 'ended', summary: 'fine' });
  });

  test('U+2028 and U+2029 inside a message are data', async () => {
    await using run = await performSteps([{ do: 'say', text: 'a\u2028b\u2029c' }]);
    expect(run.outcome).toMatchObject({ summary: 'a\\u{2028}b\\u{2029}c' });
  });

  test('an update of 20 MB is borne', async () => {
    await using run = await performSteps([{ do: 'updates', count: 1, bytes: 20 * 1024 * 1024 }]);
    expect(run.outcome).toMatchObject({ kind: 'ended', summary: '[flooded]' });
  });

  test('a line of 64 MiB without an end is a named protocol error, and the agent is gone', async () => {
    await using run = await performSteps([{ do: 'endless_line', bytes: 64 * 1024 * 1024 }], {}, SHORT);
    expect(run.outcome).toMatchObject({
      kind: 'protocol_error',
      reason: expect.stringContaining('a message of more than'),
    });
    expect(isAlive(run.worker.session().pid)).toBe(false);
  });

  test('a hundred thousand tiny updates and 200 MB on stderr cost no memory', async () => {
    const before = process.memoryUsage().rss;
    await using run = await performSteps([
      { do: 'updates', count: 100_000, bytes: 1 },
      { do: 'stderr_flood', bytes: 200 * 1024 * 1024 },
    ]);
    expect(run.outcome).toMatchObject({ kind: 'ended' });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    for (const event of run.worker.events) expect(JSON.stringify(event).length).toBeLessThan(20_000);
  });

  test('more noise on stdout than a stack trace ends the session', async () => {
    await using run = await performSteps(
      [{ do: 'stdout', text: `${'x'.repeat(1000)}\n`.repeat(2_000) }, WAIT],
      {},
      SHORT,
    );
    expect(run.outcome).toMatchObject({ kind: 'protocol_error', reason: expect.stringContaining('not ACP') });
  });

  test('services that are not offered are answered with "method not found", and the agent can go on by itself', async () => {
    const steps: Step[] = [
      { do: 'requests', method: 'terminal/create', params: { command: 'sh' }, count: 20 },
      { do: 'write', path: 'src/y.ts', content: 'y', ask: true, via: 'client' },
    ];
    await using run = await performSteps(steps);
    expect(run.outcome).toMatchObject({ kind: 'ended', summary: '[client] -32601' });
    expect(run.worker.bench.file('src/y.ts')).toBe('y');
  });

  test('a secret of its environment is hidden wherever the agent repeats it', async () => {
    const environment = { PATH: process.env['PATH'] ?? '', LAB_API_KEY: 'plain-words-as-a-key' };
    const steps: Step[] = [
      { do: 'say', text: 'it is plain-words-as-a-key' },
      { do: 'stderr', text: 'plain-words-as-a-key\n' },
      { do: 'sleep', ms: 50 },
    ];
    await using run = await performSteps(steps, {}, { environment });
    expect(JSON.stringify([run.outcome, run.worker.events])).not.toContain('plain-words');
  });
});

describe('paths that lead elsewhere', () => {
  test('a link to the outside, a sibling of the same prefix, a dangling link and a loop are refused', async () => {
    using bench = openAgentBench();
    mkdirSync(join(bench.directory, 'outside'));
    mkdirSync(join(bench.directory, 'worktree2'));
    writeFileSync(join(bench.directory, 'outside/f'), 'safe');
    symlinkSync(join(bench.directory, 'outside'), join(bench.worktree, 'src/link'));
    symlinkSync('nowhere', join(bench.worktree, 'src/dangling'));
    symlinkSync('loop', join(bench.worktree, 'src/loop'));
    const paths = [
      'src/link/f',
      'src/dangling',
      'src/loop/f',
      '../worktree2/f',
      `${bench.worktree}/../worktree2/f`,
      `src/${'n'.repeat(256)}`,
    ];
    const steps = paths.map((path): Step => ({ do: 'write', path, content: 'x', ask: true }));
    await using run = await performSteps(steps, {}, { bench });
    const decisions = run.worker.events.filter((event) => event.type === 'decision');
    expect(decisions.map((event) => event.decision)).toEqual(paths.map(() => 'deny'));
    expect(bench.file('../outside/f')).toBe('safe');
  });
});
