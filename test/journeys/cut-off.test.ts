/** What a kill leaves behind, and how the next start reads it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { commandLines } from '../host-processes.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };

/** Rewrites a task's record, as a host that was killed between two steps would have left it. */
function rewind(
  workshop: Workshop,
  taskId: string,
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): void {
  using database = new DatabaseSync(join(workshop.stateDirectory, 'tasks.sqlite'));
  const row = database.prepare('SELECT record FROM tasks WHERE task_id = ?').get(taskId) as { record: string };
  const record = change(JSON.parse(row.record));
  const { state } = record['status'] as { state: string };
  database
    .prepare('UPDATE tasks SET record = ?, state = ?, version = version + 1 WHERE task_id = ?')
    .run(JSON.stringify(record), state, taskId);
}

async function completed(workshop: Workshop, taskId: string): Promise<string> {
  const supervisor = await workshop.supervisor();
  const done = await supervisor.finalize(await supervisor.delegate(taskId, contract()));
  await supervisor.close();
  return done['commit_hash'];
}

describe('a commit that was cut off', () => {
  test('after the branch moved is found at the next start and never made twice', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const commit = await completed(workshop, 'cut');
    rewind(workshop, 'cut', (record) => ({
      ...record,
      status: { ...(record['status'] as object), state: 'verifying', phase: 'committing' },
    }));
    const next = await workshop.supervisor();
    expect(await next.settled('cut')).toMatchObject({ state: 'completed', commit_hash: commit });
    expect(workshop.git('rev-list', '--count', 'main..remit/cut')).toBe('1');
  });

  test('before the branch moved is as if it had not begun, and can be finalized again', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const commit = await completed(workshop, 'cut');
    workshop.git('update-ref', 'refs/heads/remit/cut', 'main');
    rewind(workshop, 'cut', (record) => ({
      ...record,
      status: { ...(record['status'] as object), state: 'verifying', phase: 'committing', commit },
    }));
    const next = await workshop.supervisor();
    const back = await next.delegate('cut', contract());
    expect(back).toMatchObject({ state: 'review_required', phase: 'host_restarted' });
    expect((await next.finalize(back))['state']).toBe('completed');
    expect(workshop.git('rev-list', '--count', 'main..remit/cut')).toBe('1');
  });
});

test('a verification that a kill cut off leaves the task at review, and no process behind', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
  const first = await workshop.supervisor();
  const shown = await first.delegate('slow', contract(provenBy('sleep', '97')));
  await first.finalize(shown, { wait_timeout_seconds: 1 });
  first.kill();
  const second = await workshop.supervisor();
  expect(await second.settled('slow')).toMatchObject({ state: 'review_required', phase: 'host_restarted' });
  await expect.poll(() => commandLines().filter((line) => line === 'sleep 97')).toEqual([]);
});

test('a cancelled verification ends at once, and a closed one is refused', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('stop', contract(provenBy('sleep', '98')));
  expect((await supervisor.finalize(shown, { wait_timeout_seconds: 0 }))['state']).toBe('verifying');
  await expect(supervisor.control('stop', 'close')).rejects.toMatchObject({ code: 'invalid_state' });
  expect((await supervisor.control('stop', 'cancel'))['state']).toBe('cancelled');
  await expect.poll(() => commandLines().filter((line) => line === 'sleep 98')).toEqual([]);
  expect(workshop.git('rev-parse', 'remit/stop')).toBe(workshop.git('rev-parse', 'main'));
});

test('a worker that reaches its deadline is stopped and its work kept', async () => {
  const workshop = makeWorkshop({
    script: {
      prompts: [{ steps: [EDIT, { do: 'exit', code: 1 }] }, { steps: [{ do: 'sleep', ms: 60_000 }] }, { steps: [] }],
    },
  });
  const first = await workshop.supervisor();
  const paused = await first.delegate('late', contract());
  await first.close();
  rewind(workshop, 'late', (record) => ({ ...record, execution_timeout_seconds: 1 }));
  const second = await workshop.supervisor();
  const tokens = { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
  const late = await second.delegate('late', contract(), tokens);
  expect(late).toMatchObject({ state: 'paused', phase: 'deadline', pause_revision: 2 });
  const fresh = { pause_revision: late['pause_revision'], pause_reason_hash: late['pause_reason_hash'] };
  expect(await second.delegate('late', contract(), fresh)).toMatchObject({
    state: 'review_required',
    changed_files: ['src/x.ts'],
  });
});

test('a task whose end could not be written is landed as soon as the database takes it', async () => {
  const wait: Step = { do: 'wait_for', path: 'src/go' };
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, wait] }, { steps: [] }] } });
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('held', contract(), { wait_mode: 'background' });
  using holder = new DatabaseSync(join(workshop.stateDirectory, 'tasks.sqlite'));
  const begun = () => holder.prepare("SELECT 1 FROM events WHERE type = 'prompt_begun'").get();
  await expect.poll(begun, { timeout: 30_000 }).toBeDefined();
  holder.exec('BEGIN IMMEDIATE');
  writeFileSync(join(workshop.stateDirectory, 'worktrees/held/src/go'), '');
  const logs = join(workshop.stateDirectory, 'logs');
  const log = () =>
    readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('');
  await expect.poll(log, { timeout: 60_000, interval: 200 }).toContain('cannot be written yet');
  holder.exec('ROLLBACK');
  const paused = await supervisor.settled('held');
  expect(paused).toMatchObject({ state: 'paused', phase: 'lease_conflict' });
}, 120_000);
