import { expect, test } from 'vitest';
import { defaultTaskId } from './contract-source.ts';

const HASH = '3fa9c1d2'.repeat(8);

test.each([
  ['add-login.jsonc', 'add-login-3fa9c1'],
  ['tasks/Add Login.json', 'Add-Login-3fa9c1'],
  ['/a/b/raise.task.jsonc', 'raise-3fa9c1'],
  ['v1.2..3.json', 'v1-2-3-3fa9c1'],
  ['-', 'task-3fa9c1'],
  ['.json', 'task-3fa9c1'],
  ['--.jsonc', 'task-3fa9c1'],
  ['日本.json', 'task-3fa9c1'],
  [`${'x'.repeat(80)}.json`, `${'x'.repeat(50)}-3fa9c1`],
])('the task of %j is called %j', (source, id) => {
  expect(defaultTaskId(source, HASH)).toBe(id);
});
