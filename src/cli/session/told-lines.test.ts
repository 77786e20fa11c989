import { expect, test } from 'vitest';
import { toldLines } from './told-lines.ts';

const marked = (format: string, text: string) => `<${format}>${text}</>`;

test.each<[string, Record<string, unknown>, string[]]>([
  ['worker_started', { name: 'Reasonix', version: '1.38' }, ['• worker started: Reasonix 1.38']],
  ['worker_warning', { text: 'odd' }, ['<yellow>!</> warning: odd']],
  ['steered', { message: 'Go\non' }, ['• the worker was told', '  <dim>│ </>Go', '  <dim>│ </>on']],
  ['resumed', {}, ['• goes on']],
  ['approved', { revision: 2 }, ['• revision 2 was approved']],
  [
    'worker_decision',
    { decision: 'deny', action: 'execute rm', clause: 'policy: rm' },
    ['<red>✗</> denied: execute rm', '    by policy: rm'],
  ],
  ['worker_decision', { decision: 'allow', action: 'edit x', clause: '' }, []],
  ['worker_tool_call', { title: 'Read x' }, []],
  ['phase', {}, []],
])('of the event %s with %j stays %j', (type, data, lines) => {
  const event = { seq: 1, timestamp: '2026-01-01T00:00:00.000Z', type, data };
  expect(toldLines({ type: 'event', event }, marked, 60)).toEqual(lines);
});

test('what the worker says stays only in the lines that are redrawn, what a check prints stays', () => {
  expect(toldLines({ type: 'activity', activity: { type: 'message', text: 'Hi' } }, marked, 60)).toEqual([]);
  const output = { type: 'check_output', id: 'unit', line: 'ok 1' } as const;
  expect(toldLines({ type: 'activity', activity: output }, marked, 60)).toEqual(['    <dim>│ </>ok 1']);
});
