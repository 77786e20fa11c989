import { describe, expect, test } from 'vitest';
import { deliveryGate } from '../../evidence/index.ts';
import { TOOLS } from './registry.ts';
import { openSession } from './test-session.ts';

const report = (...reviewed_paths: string[]) => ({ kind: 'review', verdict: 'pass', reviewed_paths, findings: [] });

describe('review_report', () => {
  test('is refused until every change was read after it was made, with a call that then succeeds', async () => {
    const { call } = openSession({ a: 'one\ntwo\n' });
    await call('read_file', { path: 'a' });
    await call('edit_file', { path: 'a', old_string: 'two', new_string: '2' });
    const refused = await call('review_report', report('a'));
    expect(refused).toMatchObject({ isError: true, observations: [] });
    const [, name = '', words = ''] = /Call (\w+) (\{.*\})\./.exec(refused.text) ?? [];
    expect(TOOLS.map((tool) => tool.name)).toContain(name);
    expect(await call(name, JSON.parse(words))).not.toHaveProperty('isError');
    expect(await call('review_report', report('a'))).toMatchObject({ text: 'The review report is accepted.' });
  });

  test('meets the gate with what the tools themselves observed', async () => {
    const { call, ledger, root } = openSession();
    await call('write_file', { path: 'src/new.ts', content: 'export const one = 1;\n' });
    const gate = () => deliveryGate({ ledger, requirements: { commands: [], lane: 'fast' }, worktree: root });
    expect(gate()).toMatchObject({ kind: 'missing' });
    await call('read_file', { path: 'src/new.ts' });
    await call('review_report', report(`${root}/src/new.ts`));
    expect(gate()).toMatchObject({ kind: 'ready' });
  });
});

describe('complete_step', () => {
  test('is refused for what no record bears out, and names the field', async () => {
    const { call, ledger } = openSession({ a: 'one\n' });
    const step = (kind: string) => ({ step: '1', result: 'done', evidence: [{ kind, summary: 's', paths: ['a'] }] });
    expect(await call('complete_step', step('diff'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('evidence[0].paths'),
    });
    await call('read_file', { path: 'a' });
    expect(await call('complete_step', step('files'))).toMatchObject({ text: 'Step done: 1.' });
    expect((await call('complete_step', step('manual'))).text).toContain('unverified');
    expect(ledger.map(({ kind }) => kind)).toEqual(['read', 'step', 'step']);
  });
});

describe('todo_write', () => {
  test('replaces the list, whose items have each a name of their own', async () => {
    const { call, ledger } = openSession();
    const items = [{ id: '1', text: 'Mend it', status: 'open' }];
    expect((await call('todo_write', { items })).text).toBe('The list is now:\n1 [open] Mend it');
    expect(ledger).toEqual([{ kind: 'todos', items }]);
    expect(await call('todo_write', { items: [...items, ...items] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('items: two items have the same id'),
    });
  });
});
