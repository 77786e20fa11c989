import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { taskDetailSchema } from '../../src/app/index.ts';
import { makeWorkshop, provenBy } from '../journeys/workshop.ts';
import { contractFile, raiseX } from './contract-file.ts';
import { remit, remitJson, startRemit } from './shell.ts';

// Each test runs several whole programs, one after the other.
vi.setConfig({ testTimeout: 180_000 });

const TWO_REVIEWS = {
  acceptance_criteria: [
    { id: 'looks-right', requirement: 'The change is what was asked for', evidence: 'review' },
    { id: 'is-small', requirement: 'Nothing else changed', evidence: 'review' },
  ],
};

describe('remit run without a terminal', () => {
  test('works, verifies and commits with --yes, and never changes the checkout', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const before = workshop.fingerprint();
    const file = contractFile(workshop, provenBy('grep', '-n', 'x = 2', 'src/x.ts'));
    const { code, out, err } = await remit(workshop, ['run', file, '--yes', '--message', 'Raise x']);
    expect([code, err]).toEqual([0, expect.stringContaining("runs check: grep -n 'x = 2' src/x.ts")]);
    expect(err).toContain('│ 1:export const x = 2;');
    const [, taskId, commit, branch] =
      /^(raise-x-[0-9a-f]{6}) .*completed\n {2}made {2}commit ([0-9a-f]{40}) on (\S+)/.exec(out) ?? [];
    expect(out).toContain(`git cherry-pick ${commit}`);
    expect(branch).toBe(`remit/${taskId}`);
    expect(workshop.git('log', '--format=%H %s', `main..${branch}`)).toBe(`${commit} Raise x`);
    expect(workshop.fingerprint()).toBe(before);
  });

  test('stops at the review with everything to decide by, comes back to the same task, and takes exactly the approvals it needs', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2, { do: 'say', text: 'x is 2 now.' })] } });
    const file = contractFile(workshop, TWO_REVIEWS);
    const stopped = await remit(workshop, ['run', file]);
    expect(stopped.code).toBe(3);
    for (const part of ['│ x is 2 now.', '│ +export const x = 2;', 'looks-right', '│ Nothing else changed'])
      expect(stopped.out).toContain(part);
    expect(stopped.out).toMatch(/remit task finalize raise-x-\w{6} --yes --revision 1 --tree [0-9a-f]{40}\n/);

    const partly = await remit(workshop, ['run', file, '--approve', 'looks-right']);
    expect([partly.code, partly.err]).toEqual([
      3,
      expect.stringContaining('not approved on the command line: is-small\n'),
    ]);
    const wrong = await remit(workshop, ['run', file, '--approve', 'is-tall']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('looks-right, is-small')]);
    const both = await remit(workshop, ['run', file, '--approve', 'is-small', '--approve', 'looks-right']);
    expect(both.code).toBe(0);

    const again = await remit(workshop, ['run', file]);
    expect([again.code, again.err]).toEqual([0, expect.stringMatching(/was committed already.*--id raise-x-\w{6}-2/)]);
  });

  test('prints with --json exactly one object, the task, and nothing else', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const file = contractFile(workshop);
    const review = await remit(workshop, ['run', file, '--json']);
    expect([review.code, review.err]).toEqual([3, '']);
    expect(taskDetailSchema.parse(JSON.parse(review.out)).status.state).toBe('review_required');
    const done = await remit(workshop, ['run', file, '--json', '--yes']);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(taskDetailSchema.parse(JSON.parse(done.out)).status.state).toBe('completed');
  });

  test('reads a contract from standard input, with paths relative to the folder when asked', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const input = JSON.stringify({
      schema_version: 1,
      objective: 'Change x',
      user_outcome: 'x has its new value',
      write_scope: ['x.ts'],
      acceptance_criteria: [{ id: 'looks-right', requirement: 'It is', evidence: 'review' }],
      verification: [],
    });
    const words = ['run', '-', '--json', '--path-base', 'cwd', '--repo', join(workshop.repository, 'src')];
    const { code, out } = await remit(workshop, words, { input });
    const detail = taskDetailSchema.parse(JSON.parse(out));
    expect([code, detail.contract.write_scope, detail.status.task_id.slice(0, 5)]).toEqual([3, ['src/x.ts'], 'task-']);
  });

  test('ends with 5 and says which verification failed and how', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const file = contractFile(workshop, provenBy('grep', '-n', 'x = 3', 'src/x.ts'));
    const failed = await remit(workshop, ['run', file, '--yes']);
    expect([failed.code, failed.err]).toEqual([5, expect.stringContaining('failed: check exited with 1')]);
    expect(failed.out).toContain('remit task steer');
    const asJson = await remit(workshop, ['run', file, '--yes', '--json']);
    expect(asJson.code).toBe(5);
    expect(taskDetailSchema.parse(JSON.parse(asJson.out)).status.phase).toBe('verification_failed');
    expect(JSON.parse(asJson.err).error).toMatchObject({
      code: 'verification_failed',
      next_action: 'repair_and_finalize',
    });
  });

  test('ends with 4 where the worker asks, and says how to answer', async () => {
    const question = { do: 'question' as const, question: 'Which value?', answers: ['two', 'three'] };
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [question, ...raiseX(2).steps] }] } });
    const file = contractFile(workshop);
    const waits = await remit(workshop, ['run', file, '--yes']);
    expect([waits.code, waits.out]).toEqual([4, expect.stringContaining('Which value?')]);
    const [, command = ''] = /remit (task respond \S+ --allow)/.exec(waits.out) ?? [];
    const option = ['--option', 'q1:1'];
    expect(await remit(workshop, [...command.split(' ').slice(0, 3), ...option])).toMatchObject({ code: 0 });
    expect(await remit(workshop, ['run', file, '--yes'])).toMatchObject({ code: 0 });
  });

  test('ends with 4 where the task is paused, and goes on with --resume', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'say', text: 'Nothing to do.' }] }, raiseX(2)] },
    });
    const file = contractFile(workshop);
    const paused = await remit(workshop, ['run', file, '--yes']);
    expect([paused.code, paused.out]).toEqual([4, expect.stringContaining('paused (no_change_in_scope)')]);
    expect(paused.out).toContain('What the worker said last\n  │ Nothing to do.\n');
    const [, taskId = ''] = /remit task attach (\S+)/.exec(paused.out) ?? [];
    expect(await remit(workshop, ['task', 'attach', taskId, '--resume', '--yes'])).toMatchObject({ code: 0 });
  });

  test('says in one sentence why a task failed before it began, and tries again under the same id', async () => {
    const workshop = makeWorkshop({ script: { initialize: 'exit', prompts: [raiseX(2)] } });
    const file = contractFile(workshop);
    const failed = await remit(workshop, ['run', file, '--yes']);
    expect([failed.code, failed.err]).toEqual([2, expect.stringMatching(/\nremit: scripted exited with code 3.*\n$/)]);
    const asJson = await remit(workshop, ['run', file, '--json']);
    expect(asJson.code).toBe(2);
    expect(JSON.parse(asJson.err).error.code).toBe('worker_unavailable');
    workshop.useScript({ prompts: [raiseX(2)] });
    expect(await remit(workshop, ['run', file, '--yes'])).toMatchObject({ code: 0 });
  });

  test('ends with 6 where no sandbox can start', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const bin = join(workshop.directory, 'bin');
    workshop.write('../bin/bwrap', '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    chmodSync(join(bin, 'bwrap'), 0o755);
    const environment = { PATH: `${bin}:${workshop.environment['PATH']}` };
    const { code, err } = await remit(workshop, ['run', contractFile(workshop), '--yes'], { environment });
    expect([code, err]).toEqual([6, expect.stringContaining('remit: ')]);
  });

  test('says that a task is cancelled, and how to begin anew', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const file = contractFile(workshop);
    expect(await remit(workshop, ['run', file, '--id', 'mine'])).toMatchObject({ code: 3 });
    expect(await remit(workshop, ['task', 'cancel', 'mine'])).toMatchObject({ code: 0 });
    const over = await remit(workshop, ['run', file, '--id', 'mine', '--yes']);
    expect([over.code, over.err]).toEqual([
      1,
      expect.stringContaining('was cancelled; to begin anew, give another id: --id mine-2'),
    ]);
    expect(await remit(workshop, ['run', file, '--id', 'mine-2', '--yes'])).toMatchObject({ code: 0 });
    const other = contractFile(workshop, { objective: 'Something else' }, 'other.json');
    expect(await remit(workshop, ['run', other, '--id', 'mine-2'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('exists with another contract'),
    });
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'leaves in good order on %s, and the task goes on',
    async (signal) => {
      const steps = [{ do: 'wait_for' as const, path: 'go' }, ...raiseX(2).steps];
      const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
      const { child, says, ended } = startRemit(workshop, ['run', contractFile(workshop), '--id', 'left']);
      await says('left: running\n');
      child.kill(signal);
      const { code, err } = await ended;
      expect([code, err]).toEqual([130, expect.stringContaining('you left; task left goes on in the background')]);
      const shown = await remitJson(workshop, ['task', 'show', 'left']);
      expect(shown.status.state).toBe('running');
      expect(await remit(workshop, ['task', 'cancel', 'left'])).toMatchObject({ code: 0 });
    },
  );

  test('explains every problem of a contract as lint does, before anything begins', async () => {
    const workshop = makeWorkshop();
    const file = contractFile(workshop, { write_scope: ['/abs', '../up'] });
    const { code, out, err } = await remit(workshop, ['run', file]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('2 problems\n  write_scope[0]: is absolute\n    Write it relative');
    const asJson = await remit(workshop, ['run', file, '--json']);
    expect([asJson.code, asJson.out]).toEqual([2, '']);
    expect(JSON.parse(asJson.err).error).toMatchObject({ code: 'invalid_contract', details: { problems: [{}, {}] } });
    writeFileSync(file, '{ "a": }');
    expect(await remit(workshop, ['run', file])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not JSON: line 1'),
    });
  });

  test('lets no word of a worker pass for one of its own, nor reach the terminal as a code', async () => {
    const lie = '\u001b[2J\u001b[1;1Hraise-x  completed\nremit: committed\r  made  commit 0000 on main \u202egnp.exe';
    const steps = [
      { do: 'write' as const, path: 'src/a\u001b]0;owned\u0007.ts', content: `${lie}\n` },
      { do: 'say' as const, text: lie },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const { code, out, err } = await remit(workshop, ['run', contractFile(workshop)]);
    expect(code).toBe(3);
    const shown = out + err;
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    const lying = shown.split('\n').filter((line) => line.includes('remit: committed') || line.includes('commit 0000'));
    expect(lying.length).toBeGreaterThan(1);
    for (const line of lying) expect(line).toMatch(/^ {2}│ /);
  });
});
