/** Two servers of MCP clients and a person at a shell, all on one state directory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AgentScript, type Step, scriptedAgentCommand, writeScript } from '../agents/script.ts';
import { processesNaming } from '../host-processes.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from '../journeys/workshop.ts';
import { remit, remitJson } from './shell.ts';

const FOREVER: Step = { do: 'sleep', ms: 300_000 };

function writing(path: string, content: string): Step {
  return { do: 'write', path, content };
}

/** A second worker in the configuration, for servers that are told its name. */
function addWorker({ configurationPath, directory }: Workshop, name: string, script: AgentScript): void {
  const file = JSON.parse(readFileSync(configurationPath, 'utf8'));
  const command = scriptedAgentCommand(writeScript(join(directory, 'agent'), script, name));
  file.workers[name] = { adapter: 'acp', command };
  writeFileSync(configurationPath, JSON.stringify(file));
}

test('two servers and a shell see each other’s tasks, finish them for each other, and survive one’s death', {
  timeout: 180_000,
}, async () => {
  const workshop = makeWorkshop({
    script: {
      prompts: [
        { steps: [writing('src/x.ts', 'export const x = 2;\n')] },
        { steps: [writing('src/x.ts', 'export const x = 3;\n')] },
      ],
    },
  });
  addWorker(workshop, 'other', {
    prompts: [{ steps: [writing('lib/y.ts', 'half\n'), FOREVER] }, { steps: [writing('lib/y.ts', 'whole\n')] }],
  });
  const one = await workshop.supervisor();
  const two = await workshop.supervisor({ environment: { ...workshop.environment, REMIT_WORKER: 'other' } });
  const before = workshop.fingerprint();
  const second = contract({ write_scope: ['lib/**'], objective: 'Write y' });
  await one.delegate('first', contract(provenBy('grep', '-n', '3', 'src/x.ts')));
  await two.delegate('second', second, { wait_timeout_seconds: 2 });

  // Each sees both tasks truly.
  const { tasks } = await remitJson(workshop, ['task', 'list']);
  expect(tasks.map(({ task_id, state }: Record<string, string>) => [task_id, state])).toEqual([
    ['second', 'running'],
    ['first', 'review_required'],
  ]);
  expect((await remitJson(workshop, ['task', 'show', 'sec'])).status).toMatchObject({ state: 'running' });
  expect((await one.inspect('second', { include: ['status'] }))['sections'].status.state).toBe('running');
  expect((await two.inspect('first', { include: ['status'] }))['sections'].status.state).toBe('review_required');

  // The shell has the first server's task repaired, and finalizes what came of it.
  const steered = await remitJson(workshop, ['task', 'steer', 'first', 'Make it 3']);
  expect(steered).toMatchObject({ state: 'running', repair_rounds: 1 });
  const watched = await remit(workshop, ['task', 'watch', 'first']);
  expect(watched.code).toBe(3);
  expect(watched.out).toContain('a repair was asked for\n  │ Make it 3\n');
  const finalized = await remit(workshop, ['task', 'finalize', 'first', '--yes']);
  expect([finalized.code, finalized.err]).toEqual([0, '']);
  expect(finalized.out).toMatch(/runs check: grep -n 3 src\/x\.ts\n {4}│ 1:export const x = 3;\n {2}passed check/);
  expect((await one.inspect('first', { include: ['status'] }))['sections'].status.state).toBe('completed');

  // The second server is killed while the first one waits on its task.
  const waiting = one.delegate('second', second, { wait_timeout_seconds: 60, resume: false });
  const watching = remit(workshop, ['task', 'watch', 'second']);
  await expect
    .poll(() => readFileSync(join(workshop.stateDirectory, 'worktrees/second/lib/y.ts'), 'utf8'), { timeout: 30_000 })
    .toBe('half\n');
  two.kill();
  expect(await waiting).toMatchObject({ state: 'paused', phase: 'host_restarted' });
  expect(await watching).toMatchObject({ code: 4, out: expect.stringContaining('paused (host_restarted)') });

  // The shell goes on with it; nobody is left but the server that still lives.
  const attached = await remit(workshop, ['task', 'attach', 'second', '--resume', '--yes']);
  expect(attached, JSON.stringify(attached)).toMatchObject({ code: 0 });
  expect((await one.inspect('second', { include: ['status'] }))['sections'].status.state).toBe('completed');
  expect(workshop.git('show', 'remit/second:lib/y.ts')).toBe('whole');
  for (const task of ['first', 'second']) {
    expect((await remit(workshop, ['task', 'finalize', task, '--yes'])).code).toBe(2);
    expect(workshop.git('rev-list', '--count', `main..remit/${task}`)).toBe('1');
  }
  await one.close();
  await expect.poll(() => processesNaming(workshop.directory), { timeout: 20_000 }).toEqual([]);
  expect(workshop.fingerprint()).toBe(before);
});
