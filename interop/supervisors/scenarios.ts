/** What every supervisor must be able to do with Remit, whatever its way of speaking the protocol. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../test/agents/script.ts';
import { contract, makeWorkshop, type Workshop } from '../../test/journeys/workshop.ts';
import { control, delegate, FINALIZE, HELD, inspect, letGoOn } from './calls.ts';
import type { Answer, PlantedSettings, SupervisorProgram } from './conversation.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };
const REMIT = fileURLToPath(new URL('../../bin/remit', import.meta.url));

export function describeSupervisor(program: SupervisorProgram): void {
  if (program.unavailable !== undefined) {
    return void test.skip(`${program.title} ${program.unavailable}`, () => {});
  }
  describe(program.title, { timeout: 120_000 }, () => {
    test('delegates, reads the review, approves it, and gets the commit', () => delegatesAndApproves(program));
    test('is told what a refusal was for', () => isToldWhy(program));
    if (!program.startsSlowly) {
      test('hears that the worker was denied an edit outside its scope', () => hearsOfDenial(program));
      test("answers the worker's question", () => answersQuestion(program));
      test('cancels a task, which leaves no commit', () => cancels(program));
      test('is answered in time by a worker that takes longer', () => isAnsweredInTime(program));
      test('gives a call up without harm, and comes back to the task', () => comesBack(program));
      test('is ended while the worker works, and the next one takes the task up again', () => takesUpAgain(program));
    }
    const { readOnlyVariant } = program;
    if (readOnlyVariant !== undefined) {
      test('may not delegate while its own sandbox is read-only', () => isRefusedReadOnly(program, readOnlyVariant));
    }
    test.each(program.planted.map((planted) => [planted.title, planted.happens, planted] as const))(
      'meets %s, planted in the repository: %s',
      (_title, _happens, planted) => meetsPlanted(program, planted),
    );
  });
}

function workshopOf(steps: readonly Step[], more: Parameters<typeof makeWorkshop>[0] = {}): Workshop {
  return makeWorkshop({ script: { prompts: [{ steps: [...steps] }] }, ...more });
}

/** Exactly one commit, with the base as its parent, and nothing of the caller's checkout is different. */
export function expectCommit(workshop: Workshop, done: Answer | undefined, before: string): void {
  expect(done).toMatchObject({ state: 'completed' });
  expect(workshop.git('rev-parse', 'remit/set-x')).toBe(done?.['commit_hash']);
  expect(workshop.git('rev-list', '--count', 'main..remit/set-x')).toBe('1');
  expect(workshop.git('show', 'remit/set-x:src/x.ts')).toBe('export const x = 2;');
  expect(workshop.fingerprint()).toBe(before);
}

// --- the scenarios --------------------------------------------------------------------------------------------------

async function delegatesAndApproves(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const before = workshop.fingerprint();
  const [shown, read, done] = await program.converse(workshop, [delegate(), inspect({ include: ['diff'] }), FINALIZE]);
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(shown?.['diff']).toContain('+export const x = 2;');
  expect(read?.['sections'].diff).toContain('+export const x = 2;');
  expectCommit(workshop, done, before);
}

async function hearsOfDenial(program: SupervisorProgram): Promise<void> {
  const outside: Step = { do: 'write', path: 'a.txt', content: 'outside\n', ask: true };
  const workshop = workshopOf([outside, EDIT]);
  const before = workshop.fingerprint();
  const [shown, read, done] = await program.converse(workshop, [
    delegate(),
    inspect({ include: ['events', 'summary'] }),
    FINALIZE,
  ]);
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(JSON.stringify(read)).toMatch(/no pattern of write_scope covers a\.txt/);
  expectCommit(workshop, done, before);
}

async function answersQuestion(program: SupervisorProgram): Promise<void> {
  const question: Step = { do: 'question', question: 'Which value?', answers: ['two', 'three'] };
  const workshop = makeWorkshop({
    adapter: 'reasonix',
    script: { shape: 'reasonix-1.38', prompts: [{ steps: [question, EDIT] }] },
  });
  const before = workshop.fingerprint();
  const respond = control('respond', ([asked]) => ({
    interaction_id: asked?.['active_interaction'].id,
    decision: 'allow',
    option_id: asked?.['active_interaction'].request.options[0].id,
  }));
  const answers = await program.converse(workshop, [delegate(), respond, delegate(), FINALIZE]);
  expect(answers[0]).toMatchObject({ state: 'waiting_input', active_interaction: { status: 'pending' } });
  expect(answers[2]).toMatchObject({ state: 'review_required' });
  expectCommit(workshop, answers[3], before);
}

async function cancels(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([EDIT, { do: 'wait_for', path: 'never' }]);
  const before = workshop.fingerprint();
  const [running, cancelled, after] = await program.converse(workshop, [
    delegate({ wait_mode: 'background' }),
    control('cancel'),
    inspect({ include: ['status'] }),
  ]);
  expect(['provisioning', 'running']).toContain(running?.['state']);
  expect(cancelled).toMatchObject({ state: 'cancelled' });
  expect(after?.['sections'].status).toMatchObject({ state: 'cancelled' });
  expect(workshop.git('rev-list', '--count', 'main..remit/set-x')).toBe('0');
  expect(workshop.fingerprint()).toBe(before);
}

/** No wait is asked for: Remit chooses one, by whether the client follows progress, that the client can bear. */
async function isAnsweredInTime(program: SupervisorProgram): Promise<void> {
  const waits = { waitSecondsWithProgress: 3, waitSecondsWithoutProgress: 3 };
  const workshop = workshopOf([HELD, EDIT], { configuration: waits });
  const before = workshop.fingerprint();
  const wait = { include: ['status'], wait_ms: 20_000, wait_until: 'review_required' };
  const [first, waited, shown, done] = await program.converse(
    workshop,
    [delegate({}), letGoOn(inspect(wait)), delegate({}), FINALIZE],
    { callTimeoutSeconds: 30 },
  );
  expect(first).toMatchObject({ timed_out: true });
  expect(waited?.['sections'].status).toMatchObject({ state: 'review_required' });
  expect(shown).toMatchObject({ state: 'review_required' });
  expectCommit(workshop, done, before);
}

/** The client's limit is below the wait that was asked for, so it tells its model by itself that it gave up. */
async function comesBack(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([HELD, EDIT]);
  const before = workshop.fingerprint();
  const look = inspect({ include: ['status'] });
  const wait = inspect({ include: ['status'], wait_ms: 3_000, wait_until: 'review_required' });
  const answers = await program.converse(
    workshop,
    [
      delegate({ wait_timeout_seconds: 60 }),
      look,
      letGoOn(wait),
      wait,
      delegate({ wait_timeout_seconds: 3 }),
      FINALIZE,
    ],
    { callTimeoutSeconds: 8 },
  );
  expect(answers[0]?.['said']).toMatch(/tim(ed|e)[ -]?out/i);
  expect(answers[1]?.['sections'].status).toMatchObject({ state: 'running' });
  expect(answers.at(-2)).toMatchObject({ state: 'review_required' });
  expectCommit(workshop, answers.at(-1), before);
}

async function takesUpAgain(program: SupervisorProgram): Promise<void> {
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'write', path: 'src/begun.ts', content: '' }, HELD] }, { steps: [EDIT] }] },
  });
  const before = workshop.fingerprint();
  const begun = untilWritten(workshop, 'src/begun.ts');
  await program.converse(workshop, [delegate({ wait_timeout_seconds: 60 })], { endedAfter: begun });
  const tokens = ([paused]: readonly Answer[]) => ({
    pause_revision: paused?.['pause_revision'],
    pause_reason_hash: paused?.['pause_reason_hash'],
    wait_timeout_seconds: 30,
  });
  const [paused, shown, done] = await program.converse(workshop, [
    delegate({ resume: false }),
    delegate(tokens),
    FINALIZE,
  ]);
  expect(paused).toMatchObject({ state: 'paused', resume_required: true });
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/begun.ts', 'src/x.ts'] });
  expectCommit(workshop, done, before);
}

/** Settles when the task's worktree has this file. */
async function untilWritten(workshop: Workshop, path: string): Promise<void> {
  const worktree = () =>
    /worktree (.+)\n.*\nbranch refs\/heads\/remit\/set-x/.exec(workshop.git('worktree', 'list', '--porcelain'));
  await expect.poll(() => existsSync(join(worktree()?.[1] ?? '', path)), { timeout: 60_000 }).toBe(true);
}

async function isToldWhy(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const wrong = { contract: contract({ write_scope: ['../elsewhere/**'] }) };
  const [badContract, unknown] = await program.converse(workshop, [delegate(wrong), inspect({})]);
  expect(badContract).toMatchObject({ error: { code: 'invalid_contract' } });
  expect(badContract?.['error'].message).toContain('write_scope');
  expect(unknown).toMatchObject({ error: { code: 'task_not_found' } });
}

async function isRefusedReadOnly(program: SupervisorProgram, variant: string): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const [refused] = await program.converse(workshop, [delegate()], { variant });
  expect(refused).toMatchObject({ error: { code: 'read_only_sandbox' } });
  expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
}

/** A server that replaced Remit leaves a mark and then is Remit, so that the conversation goes on in any case. */
async function meetsPlanted(program: SupervisorProgram, planted: PlantedSettings): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const mark = join(workshop.directory, 'planted-server-ran');
  const elsewhere = join(workshop.directory, 'elsewhere');
  const command = join(workshop.directory, 'planted-server');
  const asRemit = `REMIT_CONFIG='${workshop.configurationPath}' exec '${REMIT}' serve`;
  writeFileSync(command, `#!/bin/sh\necho ran >>'${mark}'\n${asRemit}\n`, { mode: 0o755 });
  const files = planted.files({ command, variables: { REMIT_STATE_DIR: elsewhere } });
  for (const [path, content] of Object.entries(files)) workshop.write(path, content);
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'Plant');
  const before = workshop.fingerprint();
  const [, done] = await program.converse(workshop, [delegate(), FINALIZE], { variant: planted.variant });
  expectCommit(workshop, done, before);
  expect({ 'it replaces Remit': existsSync(mark), 'its variables reach Remit': existsSync(elsewhere) }).toEqual({
    'it replaces Remit': planted.happens === 'it replaces Remit',
    'its variables reach Remit': planted.happens === 'its variables reach Remit',
  });
}
