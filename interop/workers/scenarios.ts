/** What Remit must do with every agent, whatever its way of asking, ending and remembering. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Answer, Supervisor } from '../../test/journeys/supervisor.ts';
import { CONTRACT, decisions, eventsOf, openBench, PATIENTLY, TASK, tokensOf, WITHIN } from './bench.ts';
import { titleOf, type WorkerProgram, whyNot } from './programs/program.ts';

const x = (value: number) => `export const x = ${value};`;

export function describeWorker(program: WorkerProgram): void {
  const reason = whyNot(program);
  if (reason !== undefined) return void test.skip(`${titleOf(program)} ${reason}`, () => {});
  describe(titleOf(program), { timeout: 180_000 }, () => {
    test('does a task, repairs it at review, and its work becomes one commit', () => doesTask(program));
    test('is refused what the contract does not allow, however late its model answers', () => isRefused(program));
    if (program.tools.ask) test('asks, and gets the answer of the supervisor', () => asks(program));
    test('is gone with everything that it started when it is cancelled', () => isCancelled(program));
    test('goes on after the host was killed, and is told again what it does not remember', () => remembers(program));
    if (program.hidden.length > 0) test('sees no settings of a hostile repository', () => seesNoSettings(program));
    else test('takes no settings from a hostile repository', () => meetsPlanted(program, CONTRACT));
    if (program.ownSwitch)
      test('takes no settings from a hostile repository that it sees', () => takesNoSettings(program));
  });
}

async function doesTask(program: WorkerProgram): Promise<void> {
  const bench = await openBench(program, (tools, at, end) => [
    { toolCalls: [tools.run('./check.sh')] },
    { toolCalls: [tools.read(at('src/x.ts'))] },
    { toolCalls: [tools.edit(at('src/x.ts'), x(1), x(3))] },
    ...end('x is 3.'),
    { toolCalls: [tools.edit(at('src/x.ts'), x(3), x(2))] },
    ...end('x is 2.'),
  ]);
  const { workshop } = bench;
  const before = workshop.fingerprint();
  const supervisor = await bench.supervisor();
  const first = await supervisor.delegate(TASK, CONTRACT, PATIENTLY);
  expect(first).toMatchObject({
    state: 'review_required',
    changed_files: ['src/x.ts'],
    summary: expect.stringContaining('x is 3.'),
    risks: [],
  });
  expectUsage(program, first);
  await supervisor.control(TASK, 'steer', { message: 'x must be 2, not 3.' });
  await supervisor.settled(TASK);
  const second = await supervisor.delegate(TASK, CONTRACT, PATIENTLY);
  expect(second).toMatchObject({ state: 'review_required', review_revision: 2, repair_rounds: 1 });
  expect(bench.said()).toContain('> x must be 2, not 3.');
  expect(await decisions(supervisor)).toEqual([
    program.commands === 'named'
      ? expect.stringMatching(/^allow execute .*\.\/check\.sh: contract: allowed_commands check$/)
      : expect.stringMatching(/^deny execute .*not enough information$/),
    'allow edit src/x.ts: contract: write_scope src/**',
    'allow edit src/x.ts: contract: write_scope src/**',
  ]);

  const done = await supervisor.finalize(second);
  expect(done).toMatchObject({ state: 'completed' });
  expect(workshop.git('rev-list', '--count', `main..remit/${TASK}`)).toBe('1');
  expect(workshop.git('show', `remit/${TASK}:src/x.ts`)).toBe(x(2));
  expect(workshop.fingerprint()).toBe(before);
}

function expectUsage(program: WorkerProgram, shown: Answer): void {
  expect(shown['usage'] !== undefined).toBe(program.reportsUsage);
  if (!program.reportsUsage) return;
  const { promptTokens, completionTokens } = shown['usage'];
  // The scripted model counts 100 and 10 for each answer; agents differ in how many answers they count.
  expect([promptTokens % 100, completionTokens]).toEqual([0, promptTokens / 10]);
  expect(promptTokens).toBeGreaterThan(0);
}

async function isRefused(program: WorkerProgram): Promise<void> {
  const late = Promise.withResolvers<void>();
  const bench = await openBench(program, (tools, at, end) => [
    { toolCalls: [tools.run('git push')], until: late.promise },
    { toolCalls: [tools.read(at('a.txt'))] },
    { toolCalls: [tools.edit(at('a.txt'), 'alpha', 'omega')] },
    { toolCalls: [tools.read(at('src/x.ts'))] },
    { toolCalls: [tools.edit(at('src/x.ts'), x(1), x(2))] },
    ...end('Done.'),
  ]);
  const supervisor = await bench.supervisor();
  expect(await supervisor.delegate(TASK, CONTRACT, { wait_timeout_seconds: 0 })).toMatchObject({ timed_out: true });
  await bench.asked(1);
  await guides(program, supervisor);
  late.resolve();

  const shown = await throughRefusals(program, supervisor);
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(await decisions(supervisor)).toEqual([
    program.commands === 'named'
      ? expect.stringMatching(/^deny execute .*git push: policy, hard denial: git mutation/)
      : expect.stringMatching(/^deny execute .*not enough information$/),
    'deny edit a.txt: contract: no pattern of write_scope covers a.txt',
    'allow edit src/x.ts: contract: write_scope src/**',
  ]);
  expect(readFileSync(join(bench.worktree, 'a.txt'), 'utf8')).toBe('alpha\n');
  expect(bench.said().includes('Prefer small steps.')).toBe(program.steers);
}

/** Says something to the worker in the middle of its turn; one that cannot hear is named so. */
async function guides(program: WorkerProgram, supervisor: Supervisor): Promise<void> {
  const guided = supervisor.control(TASK, 'steer', { message: 'Prefer small steps.' });
  if (program.steers) expect(await guided).toMatchObject({ state: 'running' });
  else await expect(guided).rejects.toMatchObject({ code: 'invalid_state' });
}

/** Each of the two refusals ends the turn of some agents: they are sent on. */
async function throughRefusals(program: WorkerProgram, supervisor: Supervisor): Promise<Answer> {
  await supervisor.settled(TASK);
  if (program.afterRefusal === 'turn_cancelled') {
    for (let round = 0; round < 2; round += 1) {
      const paused = await supervisor.delegate(TASK, CONTRACT, { resume: false });
      expect(paused).toMatchObject({ state: 'paused', phase: 'turn_cancelled' });
      await supervisor.delegate(TASK, CONTRACT, { ...tokensOf(paused), ...PATIENTLY });
    }
  }
  return supervisor.delegate(TASK, CONTRACT, PATIENTLY);
}

async function asks(program: WorkerProgram): Promise<void> {
  const bench = await openBench(program, ({ ask, ...tools }, at, end) => [
    { toolCalls: ask ? [ask('Which value?', ['two', 'three'])] : [] },
    { toolCalls: [tools.read(at('src/x.ts'))] },
    { toolCalls: [tools.edit(at('src/x.ts'), x(1), x(2))] },
    ...end('Done.'),
  ]);
  const supervisor = await bench.supervisor();
  const asked = await supervisor.delegate(TASK, CONTRACT, PATIENTLY);
  expect(asked).toMatchObject({
    state: 'waiting_input',
    active_interaction: { kind: 'input', request: { title: 'Which value?' } },
  });
  const { id, request } = asked['active_interaction'];
  const two = request.options.find((option: Answer) => option['name'] === 'two');
  await supervisor.control(TASK, 'respond', { interaction_id: id, decision: 'allow', option_id: two.id });
  expect(await supervisor.settled(TASK)).toMatchObject({ state: 'review_required' });
  expect(bench.said()).toContain('Value: two');
}

async function isCancelled(program: WorkerProgram): Promise<void> {
  const never = Promise.withResolvers<void>();
  const runs = program.commands === 'named';
  const bench = await openBench(program, (tools) => [
    { toolCalls: [tools.run('./wait.sh')], ...(!runs && { until: never.promise }) },
  ]);
  const supervisor = await bench.supervisor();
  await supervisor.delegate(TASK, CONTRACT, { wait_timeout_seconds: 0 });
  await bench.asked(1);
  if (runs) await expect.poll(() => existsSync(join(bench.worktree, 'src/begun')), WITHIN).toBe(true);
  // The last of the two begins a moment after the file is there.
  const sleeping = () => bench.workerProcesses().filter((line) => line.startsWith('sleep 300'));
  await expect.poll(sleeping, WITHIN).toHaveLength(runs ? 2 : 0);
  expect(bench.workerProcesses().length).toBeGreaterThan(0);

  expect(await supervisor.control(TASK, 'cancel')).toMatchObject({ state: 'cancelled' });
  expect(bench.workerProcesses()).toEqual([]);
  never.resolve();
}

async function remembers(program: WorkerProgram): Promise<void> {
  const never = Promise.withResolvers<void>();
  const bench = await openBench(program, (tools, at, end) => [
    { toolCalls: [tools.read(at('src/x.ts'))] },
    { toolCalls: [tools.edit(at('src/x.ts'), x(1), x(3))] },
    ...end('x is 3.'),
    { text: 'Never heard.', until: never.promise },
    { toolCalls: [tools.read(at('src/x.ts'))] },
    { toolCalls: [tools.edit(at('src/x.ts'), x(3), x(2))] },
    ...end('x is 2.'),
  ]);
  const first = await bench.supervisor();
  await first.delegate(TASK, CONTRACT, PATIENTLY);
  const before = bench.timesAsked;
  await first.control(TASK, 'steer', { message: 'x must be 2, not 3.' });
  await bench.asked(before + 1);
  bench.killServer();
  await expect.poll(() => bench.workerProcesses(), WITHIN).toEqual([]);
  never.resolve();
  const asked = bench.model.requests.length;

  const second = await bench.supervisor();
  const paused = await second.delegate(TASK, CONTRACT, { resume: false });
  expect(paused).toMatchObject({ state: 'paused', phase: 'host_restarted' });
  const shown = await second.delegate(TASK, CONTRACT, { ...tokensOf(paused), ...PATIENTLY });
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(shown['diff']).toContain(`+${x(2)}`);

  const later = bench.model.requests.slice(asked).find(({ toolNames }) => toolNames.length > 0);
  const heard = later?.messages.map(({ text }) => text).join('\n') ?? '';
  const [, resumed] = await eventsOf(second, 'worker_session');
  // Only what was read at first can know the old line. What Remit says of the agent's memory is true, either way.
  expect(resumed?.['contextLost']).toBe(!heard.includes(x(1)));
  if (program.remembers === 'always') expect(resumed?.['contextLost']).toBe(false);
  expect(heard).toContain('> Change x');
  // The repair was never finished, so it is asked for again, whether it is remembered or not.
  expect(later?.messages.findLast(({ text }) => text.includes('resumed'))?.text).toContain('> x must be 2, not 3.');
}

async function seesNoSettings(program: WorkerProgram): Promise<void> {
  const shown = await meetsPlanted(program, CONTRACT);
  const told = shown['risks'].join('\n');
  expect(told).toContain('Agent settings of the repository were hidden from the worker');
  for (const path of program.hidden) expect(told).toContain(path);
}

async function takesNoSettings(program: WorkerProgram): Promise<void> {
  const shown = await meetsPlanted(program, { ...CONTRACT, write_scope: ['src/**', ...program.hidden] });
  expect(shown['risks'].join('\n')).not.toContain('were hidden');
  expect(shown['risks'].join('\n')).toContain('The write scope reaches into agent settings');
}

/** Does a small task among planted settings: nothing of them ran, and nothing lifted the asking. */
async function meetsPlanted(program: WorkerProgram, contract: Record<string, unknown>): Promise<Answer> {
  const bench = await openBench(
    program,
    (tools, at, end) => [
      { toolCalls: [tools.run('./check.sh')] },
      { toolCalls: [tools.read(at('src/x.ts'))] },
      { toolCalls: [tools.edit(at('src/x.ts'), x(1), x(2))] },
      ...end('Done.'),
    ],
    { planted: program.planted },
  );
  const supervisor = await bench.supervisor();
  const shown = await supervisor.delegate(TASK, contract, PATIENTLY);
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(readdirSync(join(bench.worktree, 'src'))).toEqual(['x.ts']);
  expect(await decisions(supervisor)).toEqual([
    expect.stringMatching(/^(allow|deny) execute /),
    'allow edit src/x.ts: contract: write_scope src/**',
  ]);
  return shown;
}
