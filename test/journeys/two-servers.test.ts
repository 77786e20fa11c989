/** Every client session starts a server of its own; all of them share one state directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };
const FOREVER: Step = { do: 'wait_for', path: 'never' };

test('another server sees the task truly, and what it asks for is done by the one that has it', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, FOREVER] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  await owner.delegate('shared', contract(), { wait_timeout_seconds: 2 });
  expect(await other.delegate('shared', contract(), { wait_timeout_seconds: 0 })).toMatchObject({
    state: 'running',
    timed_out: true,
  });
  // Refused by the owner itself, in its own words: this agent takes no guidance.
  await expect(other.control('shared', 'steer', { message: 'x' })).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('takes no guidance'),
  });
  const waiting = owner.inspect('shared', { include: ['status'], wait_ms: 20_000, wait_until: 'terminal' });
  expect((await other.control('shared', 'cancel'))['state']).toBe('cancelled');
  expect((await waiting)['sections'].status.state).toBe('cancelled');
});

test('a server that is already up lands the task of one that was killed, and may go on with it', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, FOREVER] }, { steps: [] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  await owner.delegate('orphan', contract(), { wait_timeout_seconds: 2 });
  owner.kill();
  await expect
    .poll(async () => (await other.inspect('orphan', { include: ['status'] }))['sections'].status.state)
    .toBe('paused');
  const paused = await other.delegate('orphan', contract(), { resume: false });
  const tokens = { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
  expect((await other.delegate('orphan', contract(), tokens))['state']).toBe('review_required');
});

test('anyone with authority may finalize at review, and two at once make one commit', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  const shown = await owner.delegate('race', contract());
  const ends = await Promise.allSettled([owner.finalize(shown), other.finalize(shown), other.finalize(shown)]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(workshop.git('rev-list', '--count', 'main..remit/race')).toBe('1');
});

test('one id delegated several times at once is one task with one worker', async () => {
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'run', argv: ['sh', '-c', 'echo began >> src/begun.txt'] }] }] },
  });
  const [one, two] = [await workshop.supervisor(), await workshop.supervisor()];
  const answers = await Promise.all([
    one.delegate('same', contract()),
    one.delegate('same', contract()),
    two.delegate('same', contract(), { wait_timeout_seconds: 1 }),
  ]);
  const shown = answers[0];
  expect(answers[1]?.['review_tree_hash']).toBe(shown?.['review_tree_hash']);
  expect(readFileSync(join(shown?.['worktree'], 'src/begun.txt'), 'utf8')).toBe('began\n');
});
