import { expect, test } from 'vitest';
import { matchTaskId } from './task-choice.ts';

const IDS = ['greet', 'greet-again', 'fix-totals', 'Fix'];

test.each([
  ['greet', 'greet'],
  ['greet-', 'greet-again'],
  ['fi', 'fix-totals'],
  ['F', 'Fix'],
])('%j means the task %s', (given, id) => {
  expect(matchTaskId(given, IDS)).toBe(id);
});

test.each([
  ['gree', 'invalid_request', 'begin with "gree": greet, greet-again. Write more'],
  ['fix-total5', 'task_not_found', 'There is no task "fix-total5": did you mean fix-totals?'],
  ['GREET', 'task_not_found', 'did you mean greet?'],
  ['nothing\n', 'task_not_found', 'There is no task "nothing\\n": remit task list --all shows them all.'],
  ['', 'task_not_found', 'There is no task "": remit task list'],
])('%j is refused as %s', (given, code, message) => {
  expect(() => matchTaskId(given, IDS)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test('of many candidates ten are named, and where there is no task that is said', () => {
  const many = Array.from({ length: 13 }, (_, index) => `task-${index}`);
  expect(() => matchTaskId('task', many)).toThrow(' and 3 more. Write more');
  expect(() => matchTaskId('x', [])).toThrow('there is none at all');
});
