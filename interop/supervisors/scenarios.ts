/** What every supervisor must be able to do with Remit, whatever its way of speaking the protocol. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../test/agents/script.ts';
import { contract, makeWorkshop, type Workshop } from '../../test/journeys/workshop.ts';
import type { Answer, Call, SupervisorProgram } from './conversation.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };
const SLOW_MS = 4_000;

export function describeSupervisor(program: SupervisorProgram): void {
  if (program.unavailable !== undefined) {
    return void test.skip(`${program.title} ${program.unavailable}`, () => {});
  }
  describe(program.title, () => {
    test('delegates, reads the review, approves it, and gets the commit', () => delegatesAndApproves(program));
    test('hears that the worker was denied an edit outside its scope', () => hearsOfDenial(program));
    test("answers the worker's question", () => answersQuestion(program));
    test('cancels a task, which leaves no commit', () => cancels(program));
    test('is answered in time by a worker that takes longer', () => isAnsweredInTime(program));
    test('gives a call up without harm, and comes back to the task', () => comesBack(program));
    test('is told what a refusal was for', () => isToldWhy(program));
    test.each(program.planted.map((planted) => [planted.title, planted.happens, planted] as const))(
      'meets %s in the repository: %s',
      (_title, _happens, planted) => meetsPlanted(program, planted),
    );
  });
}

// --- the calls ------------------------------------------------------------------------------------------------------

const TASK = { task_id: 'set-x' };

function delegate(more: Record<string, unknown> = { wait_timeout_seconds: 30 }): Call {
  return { tool: 'reasonix_delegate', arguments: () => ({ ...TASK, contract: contract(), ...more }) };
}

function inspect(more: Record<string, unknown>): Call {
  return { tool: 'reasonix_inspect', arguments: () => ({ ...TASK, ...more }) };
}

function control(action: string, from: (answers: readonly Answer[]) => Record<string, unknown> = () => ({})): Call {
  return { tool: 'reasonix_control', arguments: (answers) => ({ ...TASK, action, ...from(answers) }) };
}

/** Approves the last review bundle. */
const FINALIZE = control('finalize', (answers) => {
  const shown = answers.findLast((answer) => answer['review_tree_hash'] !== undefined) ?? {};
  return {
    review_summary: 'Read and approved',
    approved_review_criteria: shown['required_review_criteria'],
    expected_review_revision: shown['review_revision'],
    expected_review_tree_hash: shown['review_tree_hash'],
  };
});

function workshopOf(steps: readonly Step[], more: Parameters<typeof makeWorkshop>[0] = {}): Workshop {
  return makeWorkshop({ script: { prompts: [{ steps: [...steps] }] }, ...more });
}

/** Exactly one commit, with the base as its parent, and nothing of the caller's checkout is different. */
function expectCommit(workshop: Workshop, done: Answer | undefined, before: string): void {
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
  const waits = { waitSecondsWithProgress: 2, waitSecondsWithoutProgress: 1 };
  const workshop = workshopOf([{ do: 'sleep', ms: SLOW_MS }, EDIT], { configuration: waits });
  const before = workshop.fingerprint();
  const [first, waited, shown, done] = await program.converse(
    workshop,
    [
      delegate({}),
      inspect({ include: ['status'], wait_ms: 20_000, wait_until: 'review_required' }),
      delegate({}),
      FINALIZE,
    ],
    { callTimeoutSeconds: 20 },
  );
  expect(first).toMatchObject({ state: 'running', timed_out: true });
  expect(waited?.['sections'].status).toMatchObject({ state: 'review_required' });
  expect(shown).toMatchObject({ state: 'review_required' });
  expectCommit(workshop, done, before);
}

/** The client's limit is below the wait that was asked for, so it answers its model by itself. */
async function comesBack(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([{ do: 'sleep', ms: SLOW_MS }, EDIT]);
  const before = workshop.fingerprint();
  const wait = inspect({ include: ['status'], wait_ms: 1_000, wait_until: 'review_required' });
  const answers = await program.converse(
    workshop,
    [delegate({ wait_timeout_seconds: 60 }), wait, wait, wait, wait, delegate({ wait_timeout_seconds: 1 }), FINALIZE],
    { callTimeoutSeconds: 2 },
  );
  expect(answers[0]?.['said']).toMatch(/tim(ed|e)[ -]?out/i);
  expect(answers.at(-2)).toMatchObject({ state: 'review_required' });
  expectCommit(workshop, answers.at(-1), before);
}

async function isToldWhy(program: SupervisorProgram): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const wrong = { contract: contract({ write_scope: ['../elsewhere/**'] }) };
  const [badContract, unknown] = await program.converse(workshop, [delegate(wrong), inspect({})]);
  expect(badContract).toMatchObject({ error: { code: 'invalid_contract' } });
  expect(badContract?.['error'].message).toContain('write_scope');
  expect(unknown).toMatchObject({ error: { code: 'task_not_found' } });
}

/** The planted server leaves a mark; then it is Remit, so that the conversation goes on whichever of the two runs. */
async function meetsPlanted(program: SupervisorProgram, planted: SupervisorProgram['planted'][number]): Promise<void> {
  const workshop = workshopOf([EDIT]);
  const mark = join(workshop.directory, 'planted-server-ran');
  const server = join(workshop.directory, 'planted-server');
  const remit = fileURLToPath(new URL('../../bin/remit', import.meta.url));
  writeFileSync(
    server,
    `#!/bin/sh\necho ran >>'${mark}'\nREMIT_CONFIG='${workshop.configurationPath}' exec '${remit}' serve\n`,
  );
  chmodSync(server, 0o755);
  for (const [path, content] of Object.entries(planted.files([server]))) workshop.write(path, content);
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'Plant');
  const before = workshop.fingerprint();
  const [, done] = await program.converse(workshop, [delegate(), FINALIZE]);
  expectCommit(workshop, done, before);
  expect(existsSync(mark) ? `ran: ${readFileSync(mark, 'utf8')}` : 'it has no effect').toBe(
    planted.happens === 'it replaces Remit' ? 'ran: ran\n' : planted.happens,
  );
}
