/** A task is worked on by one process; what others ask for goes through its private door, and ends with it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesWith } from '../../src/sandbox/fixtures/host-processes.ts';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy } from './workshop.ts';

const EDIT = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' } as const;
const FOREVER: Step = { do: 'wait_for', path: 'never' };

/** How many sockets are bound to the door of this process, as Linux tells it (proc_net(5), unix). */
function socketsOf(pid: number): number {
  return readFileSync('/proc/net/unix', 'latin1')
    .split('\n')
    .filter((line) => line.includes(`/run/${pid}-`)).length;
}

const STATUS = { include: ['status'] };

test('who waits in another process hears of the death of a task’s owner at once', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, FOREVER] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  await owner.delegate('cut', contract(), { wait_timeout_seconds: 2 });
  const waiting = Promise.all([
    other.inspect('cut', { ...STATUS, wait_ms: 30_000, wait_until: 'change' }),
    other.delegate('cut', contract(), { wait_timeout_seconds: 60, resume: false }),
  ]);
  // The listening socket and one connection for each call that is held.
  await expect.poll(() => socketsOf(owner.pid), { timeout: 30_000 }).toBe(3);
  owner.kill();
  const [seen, attached] = await waiting;
  expect(seen?.['sections'].status).toMatchObject({ state: 'paused', phase: 'host_restarted' });
  expect(attached).toMatchObject({ state: 'paused', resume_required: true });
});

test('an answer and guidance reach the worker from a process that does not have it', async () => {
  const question: Step = { do: 'question', question: 'Which value?', answers: ['two', 'three'] };
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [question, EDIT] }] }, adapter: 'acp' });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  const asked = await owner.delegate('ask', contract());
  expect(asked['state']).toMatch(/^waiting_/);
  const { id, request } = asked['active_interaction'];
  await other.control('ask', 'respond', {
    interaction_id: id,
    decision: 'allow',
    option_id: request.options[0].id,
  });
  expect((await other.delegate('ask', contract()))['state']).toBe('review_required');
  // A repair is done by the worker that is still there, in the process that has it.
  expect((await other.control('ask', 'steer', { message: 'Once more' }))['state']).toBe('running');
  expect((await owner.settled('ask'))['repair_rounds']).toBe(1);
});

test('a review is finalized by the owner for whoever approves it', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  const proven = contract(provenBy('grep', '-q', '2', 'src/x.ts'));
  await owner.delegate('approve', proven);
  const shown = await other.delegate('approve', proven);
  const completed = await other.finalize(shown);
  expect(completed['state']).toBe('completed');
  expect(workshop.git('rev-parse', 'remit/approve')).toBe(completed['commit_hash']);
});

test('a paused task that another process resumes has one worker, not two', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [] }, { steps: [EDIT, FOREVER] }] } });
  const [owner, other] = [await workshop.supervisor(), await workshop.supervisor()];
  const paused = await owner.delegate('handed-on', contract());
  expect(paused['state']).toBe('paused');
  const agents = () => processesWith(workshop.directory).filter((line) => line.includes('scripted-agent.ts'));
  const before = agents().length;
  expect(before).toBeGreaterThan(0);
  const { pause_revision, pause_reason_hash } = paused;
  const resuming = { pause_revision, pause_reason_hash, wait_timeout_seconds: 0 };
  const { worktree } = await other.delegate('handed-on', contract(), resuming);
  await expect.poll(() => readFileSync(join(worktree, EDIT.path), 'utf8'), { timeout: 30_000 }).toBe(EDIT.content);
  expect(agents()).toHaveLength(before);
  expect((await other.control('handed-on', 'cancel'))['state']).toBe('cancelled');
});

test('a worker finds no way to the door of its own host', async () => {
  const connect = `
    const { readdirSync, writeFileSync } = require('node:fs');
    try { writeFileSync('src/found.txt', readdirSync(process.argv[1]).join()); }
    catch (error) { writeFileSync('src/found.txt', error.code); }`;
  const workshop = makeWorkshop();
  const run = join(workshop.stateDirectory, 'run');
  workshop.useScript({ prompts: [{ steps: [{ do: 'run', argv: [process.execPath, '-e', connect, run] }] }] });
  const owner = await workshop.supervisor();
  const shown = await owner.delegate('shut', contract());
  const [socket] = readdirSync(run);
  expect(statSync(join(run, socket ?? '')).mode & 0o777).toBe(0o600);
  expect(shown['diff']).toMatch(/^\+(ENOENT|EACCES)$/m);
});
