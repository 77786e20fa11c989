import { expect, test } from 'vitest';
import type { TaskNews, TaskView } from '../../app/index.ts';
import { liveLines } from './live-lines.ts';
import { addNews, NO_PROGRESS } from './progress.ts';

const plain = (_format: string, text: string) => text;

const event = (type: string, data: Record<string, unknown>): TaskNews => ({
  type: 'event',
  event: { seq: 1, timestamp: '2026-01-01T00:00:00.000Z', type, data },
});

const RUNNING: TaskNews = { type: 'status', status: { state: 'running', phase: 'working' } as TaskView };

const USAGE = {
  promptTokens: 12_000,
  completionTokens: 300,
  reasoningTokens: 0,
  cacheHitTokens: 0,
  cacheMissTokens: 0,
  cacheHitRatio: null,
  estimatedCost: 0.25,
  currency: 'USD',
  usageSource: 'prompt_result',
};

const toolCall = (toolCallId: string, kind: string, paths: string[]) =>
  event('worker_tool_call', { toolCallId, title: `${kind} something`, kind, status: 'pending', paths });

function draw(news: readonly TaskNews[], width = 100): string[] {
  return liveLines('t1', news.reduce(addNews, NO_PROGRESS), 65_400, plain, width);
}

test('shows where the task stands, how long it works, what it did and what it cost', () => {
  const lines = draw([
    RUNNING,
    toolCall('1', 'read', ['src/a.ts']),
    toolCall('2', 'edit', ['src/a.ts', 'src/b.ts']),
    toolCall('2', 'edit', ['src/a.ts', 'src/b.ts']),
    event('worker_decision', { action: 'edit src/c.ts', decision: 'allow', clause: '' }),
    event('worker_decision', { action: 'execute git push', decision: 'deny', clause: 'policy' }),
    { type: 'activity', activity: { type: 'usage', usage: USAGE } },
    { type: 'activity', activity: { type: 'message', text: 'First.\nI push it.\n' } },
  ]);
  expect(lines).toEqual([
    't1  running  1m 05s · 2 tool calls · 1 denied · 3 files · 12.3k tokens · 0.250 USD',
    '  │ I push it.',
  ]);
});

test('leaves out what nobody reported', () => {
  expect(draw([RUNNING])).toEqual(['t1  running  1m 05s']);
  expect(draw([])).toEqual(['t1  delegating  1m 05s']);
});

test('names the check that runs, until it ends', () => {
  const started: TaskNews = {
    type: 'activity',
    activity: { type: 'check_started', id: 'unit', argv: ['npm', 'test'], cwd: '' },
  };
  const ended: TaskNews = {
    type: 'activity',
    activity: { type: 'check_ended', id: 'unit', passed: true, outcome: 'passed', duration_ms: 5 },
  };
  expect(draw([RUNNING, started])[1]).toBe('  │ runs unit');
  expect(draw([RUNNING, started, ended])).toHaveLength(1);
});

test('fits the terminal by display width, and keeps what a worker says on its one line', () => {
  const said: TaskNews = { type: 'activity', activity: { type: 'message', text: `漢字\u001b[2J\r${'字'.repeat(60)}` } };
  const lines = draw([RUNNING, said], 30);
  expect(lines[0]).toBe('t1  running  1m 05s');
  expect(lines[1]).toMatch(/^ {2}│ 漢字\\x1B\[2J\\r字+…$/);
  expect(lines).toHaveLength(2);
});
