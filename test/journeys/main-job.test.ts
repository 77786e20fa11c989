import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };

describe('the main job', () => {
  test('a contract without any optional field becomes exactly one commit, and the checkout stays as it was', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write('notes.txt', 'mine, uncommitted and unrelated\n');
    const before = workshop.fingerprint();
    const supervisor = await workshop.supervisor();

    const shown = await supervisor.delegate('first', contract());
    expect(shown).toMatchObject({
      state: 'review_required',
      changed_files: ['src/x.ts'],
      required_review_criteria: ['looks-right'],
      review_revision: 1,
    });
    expect(shown['diff']).toContain('+export const x = 2;');

    const done = await supervisor.finalize(shown);
    expect(done).toMatchObject({ state: 'completed', integration_command: `git cherry-pick ${done['commit_hash']}` });
    expect(workshop.git('rev-parse', 'remit/first', 'remit/first^', 'remit/first^{tree}').split('\n')).toEqual([
      done['commit_hash'],
      workshop.git('rev-parse', 'HEAD'),
      shown['review_tree_hash'],
    ]);
    expect(workshop.git('rev-list', '--count', 'main..remit/first')).toBe('1');
    expect(workshop.fingerprint()).toBe(before);
  });

  test('the commit names the task, the contract and the evidence, and its author is the user', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('trailers', contract());
    await supervisor.finalize(shown, { commit_message: 'Set x\n\nWith a body.' });
    const message = workshop.git('log', '-1', '--format=%an <%ae>%n%B', 'remit/trailers');
    expect(message).toMatch(
      new RegExp(
        '^Ada Example <ada@example.test>\nSet x\n\nWith a body.\n\n' +
          `Remit-Task: trailers\nRemit-Contract: sha256:${shown['contract_hash']}\nRemit-Evidence: sha256:[0-9a-f]{64}$`,
      ),
    );
  });

  test('verification runs on the reviewed tree and becomes evidence for its criteria', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write('check.sh', '#!/bin/sh\ngrep -q "x = 2" src/x.ts && echo checked\n');
    workshop.git('add', '.');
    workshop.git('update-index', '--chmod=+x', 'check.sh');
    workshop.git('commit', '-qm', 'Check');
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('proven', contract(provenBy('./check.sh')));
    expect(shown['state']).toBe('review_required');
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    const { sections } = await supervisor.inspect('proven');
    expect(sections.verification).toMatchObject([{ id: 'check', passed: true, exitCode: 0, outputBytes: 8 }]);
    expect(sections.acceptance_evidence).toMatchObject([
      { criterionId: 'looks-right', approved: true },
      { criterionId: 'proven', approved: true },
    ]);
  });

  test('a file assertion is compared with the blob that is committed', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'write', path: 'src/new.txt', content: 'l1\r\nl2\r\n' }] }] },
    });
    workshop.write('.gitattributes', '* text=auto\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Normalise line endings');
    const supervisor = await workshop.supervisor();
    const asserted = contract({
      acceptance_criteria: [{ id: 'exact', requirement: 'The bytes are these', evidence: 'automated' }],
      file_assertions: [{ id: 'bytes', path: 'src/new.txt', expected_utf8: 'l1\r\nl2\r\n', proves: ['exact'] }],
    });
    const shown = await supervisor.delegate('exact', asserted);
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'verification_failed' });
    expect(
      () => workshop.git('cat-file', '-e', shown['review_tree_hash']),
      'unreviewed work stays out of the repository',
    ).toThrow();
  });

  test('two tasks with disjoint scopes run side by side and become a commit each', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT, { do: 'write', path: 'docs/y.md', content: 'y\n', ask: true }] }] },
    });
    const supervisor = await workshop.supervisor();
    const [one, two] = await Promise.all([
      supervisor.delegate('one', contract()),
      supervisor.delegate('two', contract({ write_scope: ['docs/**'] })),
    ]);
    expect([one['changed_files'], two['changed_files']]).toEqual([['src/x.ts'], ['docs/y.md']]);
    const done = await Promise.all([supervisor.finalize(one), supervisor.finalize(two)]);
    expect(done.map(({ state }) => state)).toEqual(['completed', 'completed']);
  });

  test('a task of an overlapping scope is refused while the other lives, and accepted when that is closed', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    await supervisor.delegate('holder', contract());
    await expect(supervisor.delegate('late', contract({ write_scope: ['src/x.ts'] }))).rejects.toMatchObject({
      code: 'lease_conflict',
      message: expect.stringContaining('holder'),
    });
    expect(workshop.git('branch', '--list', 'remit/late')).toBe('');
    await supervisor.control('holder', 'close');
    expect((await supervisor.delegate('late', contract({ write_scope: ['src/x.ts'] })))['state']).toBe(
      'review_required',
    );
  });

  test('a failed verification comes back to review, a repair mends it, and a third repair is refused', async () => {
    const wrong: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 3;\n' };
    const workshop = makeWorkshop({
      script: {
        prompts: [{ steps: [wrong] }, { steps: [{ ...wrong, content: 'export const x = 4;\n' }] }, { steps: [EDIT] }],
      },
    });
    const supervisor = await workshop.supervisor();
    const first = await supervisor.delegate('repair', contract(provenBy('grep', '-q', 'x = 2', 'src/x.ts')));
    await expect(supervisor.finalize(first)).rejects.toMatchObject({
      code: 'verification_failed',
      error: { next_action: 'repair_and_finalize', details: { failures: [{ id: 'check', exit_code: 1 }] } },
    });
    expect((await supervisor.settled('repair'))['state']).toBe('review_required');
    await supervisor.control('repair', 'steer', { message: 'x must be 2' });
    await supervisor.settled('repair');
    await supervisor.control('repair', 'steer', { message: 'No: 2' });
    const third = await supervisor.delegate('repair', contract(provenBy('grep', '-q', 'x = 2', 'src/x.ts')));
    expect(third).toMatchObject({ state: 'review_required', repair_rounds: 2, review_revision: 3 });
    await expect(supervisor.control('repair', 'steer', { message: 'again' })).rejects.toMatchObject({
      code: 'repair_limit_reached',
    });
    await expect(supervisor.finalize(first)).rejects.toMatchObject({
      code: 'invalid_request',
      error: { details: { review_revision: 3, review_tree_hash: third['review_tree_hash'] } },
    });
    expect((await supervisor.finalize(third))['state']).toBe('completed');
  });

  test('finalize works after the host was killed and started again', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const first = await workshop.supervisor();
    const shown = await first.delegate('restart', contract(provenBy('grep', '-q', 'x = 2', 'src/x.ts')));
    first.kill();
    const second = await workshop.supervisor();
    expect((await second.finalize(shown))['state']).toBe('completed');
  });

  test('a kill at work pauses the task with its work kept; a resume with the fresh tokens finishes it', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT, { do: 'wait_for', path: 'never' }] }, { steps: [] }] },
    });
    const first = await workshop.supervisor();
    await first.delegate('killed', contract(), { wait_mode: 'background' });
    await first.inspect('killed', { wait_ms: 5000, wait_until: 'interaction' }).catch(() => {});
    first.kill();
    const second = await workshop.supervisor();
    const paused = await second.delegate('killed', contract(), { resume: false });
    expect(paused).toMatchObject({ state: 'paused', phase: 'host_restarted', resume_required: true });
    await expect(second.delegate('killed', contract())).rejects.toMatchObject({
      code: 'invalid_request',
      error: { details: { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] } },
    });
    const tokens = { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
    expect((await second.delegate('killed', contract(), tokens))['state']).toBe('review_required');
  });

  test('delegating again attaches; another contract, setting or repository of that id is a conflict', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('again', contract());
    const same = await supervisor.delegate('again', {
      ...contract(),
      forbidden_scope: [],
      verification: [],
      invariants: [],
    });
    expect(same['review_tree_hash']).toBe(shown['review_tree_hash']);
    await expect(supervisor.delegate('again', contract({ objective: 'Other' }))).rejects.toMatchObject({
      code: 'task_conflict',
    });
    await expect(supervisor.delegate('again', contract(), { worker_lane: 'deep' })).rejects.toMatchObject({
      code: 'task_conflict',
    });
    await expect(supervisor.delegate('AGAIN', contract({ write_scope: ['docs/**'] }))).rejects.toMatchObject({
      code: 'task_conflict',
    });
  });

  test('cancel ends the worker and keeps worktree and branch; later actions answer with the view', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, { do: 'wait_for', path: 'never' }] }] } });
    const supervisor = await workshop.supervisor();
    await supervisor.delegate('stop', contract(), { wait_timeout_seconds: 2 });
    const cancelled = await supervisor.control('stop', 'cancel');
    expect(cancelled['state']).toBe('cancelled');
    expect((await supervisor.control('stop', 'close'))['state']).toBe('cancelled');
    expect(workshop.git('branch', '--list', 'remit/stop')).toContain('remit/stop');
    await expect(supervisor.control('stop', 'steer', { message: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('a wait that times out answers, and the worker goes on', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [{ do: 'sleep', ms: 1500 }, EDIT] }] } });
    const supervisor = await workshop.supervisor();
    expect(await supervisor.delegate('slow', contract(), { wait_timeout_seconds: 0 })).toMatchObject({
      timed_out: true,
    });
    expect((await supervisor.settled('slow'))['state']).toBe('review_required');
  });

  test('a question of the worker waits for the supervisor and gets the answer', async () => {
    const workshop = makeWorkshop({
      adapter: 'reasonix',
      script: {
        shape: 'reasonix-1.38',
        prompts: [{ steps: [{ do: 'question', question: 'Which value?', answers: ['two', 'three'] }, EDIT] }],
      },
    });
    const supervisor = await workshop.supervisor();
    const asked = await supervisor.delegate('ask', contract());
    expect(asked).toMatchObject({ state: 'waiting_input', active_interaction: { kind: 'input', status: 'pending' } });
    const { id, request } = asked['active_interaction'];
    await expect(
      supervisor.control('ask', 'respond', { interaction_id: 'other', decision: 'allow' }),
    ).rejects.toMatchObject({ code: 'interaction_not_found' });
    await supervisor.control('ask', 'respond', {
      interaction_id: id,
      decision: 'allow',
      option_id: request.options[0].id,
    });
    expect((await supervisor.settled('ask'))['state']).toBe('review_required');
    const { sections } = await supervisor.inspect('ask', { include: ['summary', 'interactions'] });
    expect(sections.interactions).toMatchObject([{ id, status: 'resolved' }]);
  });

  test('more workers than the cap wait their turn in order and all come to review', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { do: 'write', path: 'f0/x', content: '1' },
              { do: 'write', path: 'f1/x', content: '1' },
              { do: 'write', path: 'f2/x', content: '1' },
            ],
          },
        ],
      },
      configuration: { maxWorkers: 1 },
    });
    const supervisor = await workshop.supervisor();
    const states = await Promise.all(
      [0, 1, 2].map(
        async (n) => (await supervisor.delegate(`cap-${n}`, contract({ write_scope: [`f${n}/**`] })))['state'],
      ),
    );
    expect(states).toEqual(['review_required', 'review_required', 'review_required']);
  });

  test('a worker that dies pauses the task; what is written after the review is not in the commit', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, { do: 'exit', code: 7 }] }, { steps: [] }] } });
    const supervisor = await workshop.supervisor();
    const paused = await supervisor.delegate('exits', contract());
    expect(paused).toMatchObject({ state: 'paused', phase: 'worker_exited' });
    const tokens = { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
    const shown = await supervisor.delegate('exits', contract(), tokens);
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    writeFileSync(join(shown['worktree'], 'src/x.ts'), 'export const x = 99;\n');
    const done = await supervisor.finalize(shown);
    expect(workshop.git('show', `${done['commit_hash']}:src/x.ts`)).toBe('export const x = 2;');
  });
});
