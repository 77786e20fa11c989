/** What a person at a shell does to tasks: steer, respond, finalize. The client that delegated them has gone. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlOutputSchema } from '../../src/app/wire/control.ts';
import { findExecutable } from '../../src/process/index.ts';
import type { Step } from '../agents/script.ts';
import { processesNaming } from '../host-processes.ts';
import { contract, makeWorkshop, provenBy, type Workshop, type WorkshopOptions } from '../journeys/workshop.ts';
import { remit, remitJson, startRemit } from './shell.ts';

const TIMEOUT = { timeout: 240_000 };

function writing(value: number): Step {
  return { do: 'write', path: 'src/x.ts', content: `export const x = ${value};\n` };
}

/** A task at review whose server is gone, so that a host in the background does what is asked for. */
async function leftAtReview(members: Record<string, unknown>, options: WorkshopOptions = {}): Promise<Workshop> {
  const workshop = makeWorkshop({
    script: { resume: 'load', prompts: [{ steps: [writing(2)] }, { steps: [writing(3)] }] },
    ...options,
  });
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('greet', contract(members));
  await supervisor.close();
  return workshop;
}

test('what fails verification is told with its output, repaired, and committed as it was shown', TIMEOUT, async () => {
  const workshop = await leftAtReview(provenBy('grep', '-n', '3', 'src/x.ts'));
  const [finalize, steer] = [
    ['task', 'finalize', 'greet'],
    ['task', 'steer', 'greet'],
  ];
  const undecided = await remit(workshop, finalize);
  expect(undecided).toMatchObject({ code: 2, out: '' });
  expect(undecided.err).toContain('Yours to approve:\n  looks-right: The change is what was asked for');
  const foreign = await remit(workshop, [...finalize, '--approve', 'nonsense']);
  expect(foreign).toMatchObject({
    code: 2,
    err: expect.stringContaining('--approve nonsense: the contract has no such criterion'),
  });

  // Nobody is at work on the task: it is only the watcher that stays.
  const watching = startRemit(workshop, ['task', 'watch', 'greet', '--until', 'over']);
  await watching.prints('review_required');
  const failed = await remit(workshop, [...finalize, '--yes']);
  expect(failed.code).toBe(5);
  expect(failed.out).toMatch(/failed check: exited with 1/);
  expect(failed.err).toContain('remit: Verification of task greet failed: check exited with 1');
  expect((await remit(workshop, ['task', 'watch', 'greet'])).code).toBe(5);
  const asJson = await remit(workshop, [...finalize, '--yes', '--json']);
  expect([asJson.code, asJson.out]).toEqual([5, '']);
  expect(JSON.parse(asJson.err).error).toMatchObject({
    code: 'verification_failed',
    details: { failures: [{ id: 'check' }] },
  });

  expect(await remit(workshop, [...steer, '-'], { input: ' \n' })).toMatchObject({ code: 2 });
  const endless = await remit(workshop, [...steer, '-'], { input: 'x'.repeat(20_001) });
  expect(endless).toMatchObject({ code: 2, err: expect.stringContaining('message') });
  const steered = await remit(workshop, [...steer, '-'], { input: 'Make it 3\n' });
  expect(steered).toMatchObject({ code: 0, out: expect.stringContaining('Repair round 1 of 2 has begun.') });
  expect((await remit(workshop, ['task', 'watch', 'greet'])).code).toBe(3);

  const { status } = await remitJson(workshop, ['task', 'show', 'greet']);
  const stale = await remit(workshop, [...finalize, '--yes', '--revision', '1', '--tree', '0'.repeat(40)]);
  expect(stale).toMatchObject({ code: 2, err: expect.stringContaining('at review is revision 2') });
  const tokens = ['--revision', String(status.review_revision), '--tree', status.review_tree_hash];
  const words = ['--approve', 'looks-right', ...tokens, '--message', 'Make x three', '--summary', 'Fine', '--json'];
  const committed = await remit(workshop, [...finalize, ...words]);
  expect([committed.code, committed.err]).toEqual([0, '']);
  const view = controlOutputSchema.parse(JSON.parse(committed.out));
  expect(workshop.git('log', '-1', '--format=%H %s', 'remit/greet')).toBe(`${view.commit_hash} Make x three`);
  expect((await remitJson(workshop, ['task', 'show', 'greet', '--evidence'])).document.approval.summary).toBe('Fine');
  expect((await remit(workshop, [...finalize, '--yes'])).err).toContain('Task greet is completed: finalize needs');
  expect((await remit(workshop, [...steer, 'More'])).code).toBe(2);
  const seen = await watching.ended;
  expect(seen).toMatchObject({ code: 0, err: '' });
  expect(seen.out).toMatch(/not committed: verification_failed\n.*review_required[\s\S]*running[\s\S]*completed/);
  await expect.poll(() => processesNaming(workshop.directory), { timeout: 20_000 }).toEqual([]);
});

/** A task at review, still its server's, whose verification prints four lines and then waits until it is let go. */
async function withWaitingCheck(): Promise<Workshop> {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [writing(2)] }] } });
  const check = [
    'const { existsSync, writeSync } = require("node:fs");',
    'for (const n of [0, 1, 2, 3]) writeSync(1, "line " + n + " \\u202e\\n");',
    'const pause = new Int32Array(new SharedArrayBuffer(4));',
    'for (let n = 0; n < 1_000 && !existsSync("go"); n += 1) Atomics.wait(pause, 0, 0, 100);',
    'process.exit(existsSync("go") ? 0 : 1);',
  ];
  workshop.write('check.cjs', check.join('\n'));
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'Check');
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('slow', contract(provenBy('node', 'check.cjs')));
  return workshop;
}

test('verification is shown line by line as it runs; Ctrl-C leaves it running to the commit', TIMEOUT, async () => {
  const workshop = await withWaitingCheck();
  const finalizing = startRemit(workshop, ['task', 'finalize', 'slow', '--yes']);
  await finalizing.prints('    │ line 3 \\u{202E}\n');
  finalizing.child.kill('SIGINT');
  expect(await finalizing.ended).toMatchObject({ code: 130, err: expect.stringContaining('finalizing goes on') });
  writeFileSync(join(workshop.stateDirectory, 'tasks/slow/testbed/go'), '');
  expect((await remit(workshop, ['task', 'watch', 'slow'])).code).toBe(0);
  expect(workshop.git('rev-list', '--count', 'main..remit/slow')).toBe('1');
});

test('a task that somebody stops while it is verified ends without a commit, and says so', TIMEOUT, async () => {
  const workshop = await withWaitingCheck();
  const finalizing = startRemit(workshop, ['task', 'finalize', 'slow', '--yes']);
  await finalizing.prints('│ line 1 ');
  const stopped = await remitJson(workshop, ['task', 'cancel', 'slow']);
  expect(stopped.state).toBe('cancelled');
  expect(await finalizing.ended).toMatchObject({ code: 1, err: '', out: expect.stringContaining('slow  cancelled\n') });
  expect(workshop.git('rev-list', '--count', 'main..remit/slow')).toBe('0');
});

test('without a sandbox nothing is verified or committed, which has its own exit code', TIMEOUT, async () => {
  const workshop = await leftAtReview(provenBy('grep', '-n', '2', 'src/x.ts'));
  const programs = join(workshop.directory, 'programs');
  mkdirSync(programs);
  for (const name of ['git', 'node']) {
    const program = await findExecutable(name, process.env['PATH'] ?? '');
    symlinkSync(String(program), join(programs, name));
  }
  const environment = { PATH: programs };
  const refused = await remit(workshop, ['task', 'finalize', 'greet', '--yes'], { environment });
  expect(refused.code).toBe(6);
  expect(refused.err).toContain('remit: ');
  expect((await remit(workshop, ['task', 'watch', 'greet'])).code).toBe(6);
  expect((await remit(workshop, ['task', 'finalize', 'greet', '--yes'])).code).toBe(0);
});

test('what the worker asks is answered by a choice, in words or not at all, and nothing else is', TIMEOUT, async () => {
  const question: Step = { do: 'question', question: 'Which value?', answers: ['two', 'three'] };
  const workshop = makeWorkshop({
    adapter: 'reasonix',
    script: { shape: 'reasonix-1.38', prompts: [{ steps: [question, question, question, writing(2)] }] },
  });
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('ask', contract());
  expect((await remit(workshop, ['task', 'watch', 'ask'])).code).toBe(4);
  const shown = await remit(workshop, ['task', 'show', 'ask']);
  expect(shown.out).toContain('Which value?');
  const respond = ['task', 'respond', 'ask'];
  for (const words of [
    [],
    ['--allow', '--deny'],
    ['--allow'],
    ['--option', 'nonsense'],
    ['--interaction', 'nonsense', '--allow'],
  ])
    expect(await remit(workshop, [...respond, ...words]), words.join(' ')).toMatchObject({ code: 2, out: '' });
  const { interactions } = await remitJson(workshop, ['task', 'show', 'ask']);
  const [option] = interactions[0].request.options;
  expect((await remit(workshop, [...respond, '--option', option.id])).code).toBe(0);
  expect((await remit(workshop, ['task', 'watch', 'ask'])).code).toBe(4);
  expect((await remit(workshop, [...respond, '--answer', 'Four'])).code).toBe(0);
  expect((await remit(workshop, ['task', 'watch', 'ask'])).code).toBe(4);
  expect((await remitJson(workshop, [...respond, '--deny'])).state).toMatch(/running|review_required/);
  expect((await remit(workshop, ['task', 'watch', 'ask'])).code).toBe(3);
  expect((await remit(workshop, [...respond, '--allow'])).err).toContain('Task ask asks nothing now');
});
