import { expect, test } from 'vitest';
import type { TaskNews } from '../../app/index.ts';
import { detail, plain } from './fixtures/tasks.ts';
import { NewsLines } from './news-lines.ts';

const AT = '2026-01-01T00:00:00.000Z';

let seq = 0;
function event(type: string, data: Record<string, unknown> = {}): TaskNews {
  seq += 1;
  return { type: 'event', event: { seq, timestamp: AT, type, data } };
}

function message(text: string): TaskNews {
  return { type: 'activity', activity: { type: 'message', text } };
}

/** What all of it becomes, without the time of day, which is that of the machine. */
function told(...news: TaskNews[]): string[] {
  const lines = new NewsLines(plain, 60);
  const texts = [...news.flatMap((one) => lines.tell(one)), ...lines.rest()];
  return texts.flatMap((text) => text.replace(/^\d\d:\d\d:\d\d/, 'TIME').split('\n'));
}

test.each([
  ['task_created', {}, ['TIME  delegated']],
  ['worker_started', { name: 'Reasonix', version: '1.38' }, ['TIME  worker started: Reasonix 1.38']],
  ['worker_started', {}, ['TIME  worker started: it does not say its name']],
  [
    'worker_decision',
    { decision: 'deny', action: 'execute rm', clause: 'policy: rm' },
    ['TIME  denied: execute rm (policy: rm)'],
  ],
  ['worker_decision', { decision: 'allow', action: 'edit x', clause: '' }, ['TIME  allowed: edit x']],
  ['worker_warning', { text: 'odd' }, ['TIME  warning: odd']],
  ['worker_phase', { phase: 'planning' }, ["TIME  the worker's phase: planning"]],
  ['worker_stderr', { text: 'oh\nno' }, ['TIME  the worker wrote to its standard error', '  │ oh', '  │ no']],
  ['worker_events_limited', {}, ['TIME  the worker reports too much: further events are', '        │ not kept']],
  ['settings_hidden', { paths: ['.a', '.b'] }, ['TIME  hidden from the worker: .a, .b']],
  ['interaction_opened', { title: 'May I?' }, ['TIME  the worker asks', '  │ May I?']],
  ['interaction_resolved', {}, ['TIME  its question was answered']],
  ['interaction_cancelled', {}, ['TIME  its question was withdrawn']],
  ['steered', { message: 'Go' }, ['TIME  the worker was told', '  │ Go']],
  ['repair_begun', { message: 'Fix' }, ['TIME  a repair was asked for', '  │ Fix']],
  ['approved', { revision: 2 }, ['TIME  revision 2 was approved']],
  ['commit_begun', { commit: 'abc' }, ['TIME  commit abc']],
  ['finalize_failed', { code: 'verification_failed' }, ['TIME  not committed: verification_failed']],
  ['source_collision', {}, ['TIME  source collision']],
  [
    'turn_ended',
    { stop_reason: 'end_turn', claim: 'Done' },
    ['TIME  the worker ended its turn (end_turn)', '  │ Done'],
  ],
  ['phase', {}, []],
])('the event %s with %j is told as %j', (type, data, lines) => {
  expect(told(event(type, data))).toEqual(lines);
});

test('of a worker that ends no line nothing is kept for long', () => {
  const lines = new NewsLines(plain, 60);
  const pieces = Array.from({ length: 10 }, () => lines.tell(message('x'.repeat(1_000))).length);
  expect(pieces.filter((shown) => shown > 0)).toHaveLength(2);
});

test('words of the worker come line by line, and are not told again at the end of its turn', () => {
  expect(
    told(
      message('I begin'),
      message(' here\nand go'),
      message(' on'),
      event('turn_ended', { stop_reason: 'end_turn', claim: 'I begin here\nand go on' }),
      event('prompt_begun'),
      event('turn_ended', { stop_reason: 'end_turn', claim: 'Again' }),
    ),
  ).toEqual([
    '  │ I begin here',
    '  │ and go on',
    'TIME  the worker ended its turn (end_turn)',
    'TIME  the worker has its prompt',
    'TIME  the worker ended its turn (end_turn)',
    '  │ Again',
  ]);
});

test('a tool call is told when it begins and when it fails', () => {
  const call = (status: string) => event('worker_tool_call', { toolCallId: '1', title: 'edit x', status });
  expect(told(call('pending'), call('in_progress'), call('failed'), call('failed'))).toEqual([
    'TIME  tool: edit x',
    'TIME  tool: edit x (failed)',
  ]);
});

test('a phase of the worker is told when it is another one, not each time that the worker asks', () => {
  const phase = (name: string) => event('worker_phase', { phase: name });
  expect(told(phase('implementing'), phase('waiting_permission'), phase('implementing'), phase('done'))).toEqual([
    "TIME  the worker's phase: implementing",
    "TIME  the worker's phase: done",
  ]);
});

test('a state is told once, with its reason; a change that is none is not', () => {
  const { status } = detail({ state: 'paused', phase: 'deadline', reason: 'Its time is over.' });
  const news: TaskNews = { type: 'status', status };
  expect(told(news, news, { type: 'gone' })).toEqual([
    'TIME  paused (deadline)',
    '          Its time is over.',
    'The task failed before it began and was taken back.',
  ]);
});

test('a verification is told as it runs', () => {
  const id = 'V1';
  const activity = (one: Extract<TaskNews, { type: 'activity' }>['activity']): TaskNews => ({
    type: 'activity',
    activity: one,
  });
  expect(
    told(
      activity({ type: 'check_started', id, argv: ['npm', 'test'], cwd: 'web' }),
      activity({ type: 'check_output', id, line: 'passed V9' }),
      activity({ type: 'check_ended', id, passed: true, outcome: 'passed', duration_ms: 1500 }),
      activity({ type: 'check_ended', id: 'V2', passed: false, outcome: 'exited with 1', duration_ms: 20 }),
    ),
  ).toEqual([
    '  runs V1: npm test (in web)',
    '    │ passed V9',
    '  passed V1 (1.5 s)',
    '  failed V2: exited with 1 (20 ms)',
  ]);
});
