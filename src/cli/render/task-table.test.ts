import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { listed, plain } from './fixtures/tasks.ts';
import { taskTable } from './task-table.ts';

const NOW = new Date('2026-01-01T00:05:00.000Z');
const TASKS = [
  listed(),
  listed({ task_id: 'fix-totals', state: 'paused', phase: 'no_change_in_scope', repository: '/home/ada/till' }),
  listed({ task_id: 'done', state: 'completed', phase: 'completed', objective: 'Two\nlines \u001b[2J' }),
];

test('shows who waits for somebody first and marked, and one line for each task whatever its texts hold', () => {
  expect(taskTable({ tasks: TASKS }, plain, 100, NOW).split('\n')).toEqual([
    '  TASK        STATE                        REPOSITORY  AGE  OBJECTIVE',
    '! fix-totals  paused (no_change_in_scope)  till        5m   Greet the user by name',
    '  greet       running                      shop        5m   Greet the user by name',
    '  done        completed                    shop        5m   Two lines \\x1B[2J',
  ]);
});

test.each([20, 30, 40, 60, 80, 100, 200])('fits %d columns, also with wide characters and long words', (width) => {
  const long = listed({
    task_id: 'x'.repeat(64),
    objective: '日本語のテキスト'.repeat(20),
    repository: `/srv/${'r'.repeat(90)}`,
    state: 'waiting_permission',
  });
  const lines = taskTable({ tasks: [...TASKS, long] }, plain, width, NOW).split('\n');
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
  expect(lines[1]).toMatch(/^! (fix|xxx)/);
});

test('cuts nothing where nothing limits the line', () => {
  const objective = 'word '.repeat(100).trim();
  expect(taskTable({ tasks: [listed({ objective })] }, plain, Number.POSITIVE_INFINITY, NOW)).toContain(objective);
});

test('tells two repositories of one name apart', () => {
  const tasks = [listed({ repository: '/a/shop' }), listed({ task_id: 'other', repository: '/b/shop' })];
  const table = taskTable({ tasks }, plain, 100, NOW);
  expect(table).toContain('/a/shop');
  expect(table).toContain('/b/shop');
});

test('colours a state by what it means', () => {
  const table = taskTable({ tasks: TASKS }, (format, text) => `<${format}>${text}</>`, 100, NOW);
  expect(table).toContain('<yellow>paused (no_change_in_scope)</>');
  expect(table).toContain('<cyan>running</>');
  expect(table).toContain('<green>completed</>');
});
