import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeWorkshop, provenBy, type Workshop } from '../journeys/workshop.ts';
import { contractFile, raiseX } from './contract-file.ts';
import { remit } from './shell.ts';
import { KEYS, openTerminal, type Terminal } from './terminal.ts';

// Each test runs several whole programs, one after the other.
vi.setConfig({ testTimeout: 180_000 });

const { enter, down, interrupt, endOfInput } = KEYS;

/** Says yes to the one review criterion. */
async function approve(terminal: Terminal): Promise<void> {
  await terminal.shows('Do you approve looks-right');
  await terminal.shows('● No');
  terminal.type('y');
}

/** Chooses an entry of the list so many below the first. */
async function choose(terminal: Terminal, question: string, below = 0): Promise<void> {
  await terminal.shows(question);
  await terminal.shows('to navigate');
  for (let moved = 0; moved < below; moved += 1) terminal.type(down);
  terminal.type(enter);
}

function log(workshop: Workshop, taskId: string): string {
  return workshop.git('log', '--format=%s', `main..remit/${taskId}`);
}

describe('remit run at a terminal', () => {
  test('shows the review, asks for the approval, streams the verification and commits', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2, { do: 'say', text: 'x is 2.' })] } });
    const file = contractFile(workshop, provenBy('grep', '-n', 'x = 2', 'src/x.ts'));
    const terminal = openTerminal(workshop, ['run', file, '--id', 'walk']);
    await terminal.shows('Review of walk');
    await terminal.shows('│ x is 2.');
    await terminal.shows('proven       open, to be proven by check');
    await terminal.shows('│ +export const x = 2;');
    await approve(terminal);
    await choose(terminal, 'What now?');
    await terminal.shows('runs check: ');
    await terminal.shows('│ 1:export const x = 2;');
    await terminal.shows('passed check');
    await terminal.shows('git cherry-pick');
    expect(await terminal.ended).toBe(0);
    expect(log(workshop, 'walk')).not.toBe('');
  });

  test('has the worker repair what is not approved, and shows the new candidate', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2), raiseX(3)] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'mend']);
    await terminal.shows('│ +export const x = 2;');
    await terminal.shows('Do you approve looks-right');
    terminal.type(enter);
    await choose(terminal, 'What now?');
    await terminal.shows('What is to be repaired?');
    terminal.type('Make it 3', enter);
    await terminal.shows('│ Make it 3');
    await terminal.shows('│ +export const x = 3;');
    await approve(terminal);
    await choose(terminal, 'What now?');
    expect(await terminal.ended).toBe(0);
    expect(workshop.git('show', 'remit/mend:src/x.ts')).toBe('export const x = 3;');
  });

  test('says that a repair changed nothing, and what the worker says to that', async () => {
    const idle = { steps: [{ do: 'say' as const, text: 'It is right as it is.' }] };
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2), idle] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'refuses']);
    await approve(terminal);
    await choose(terminal, 'What now?', 1);
    await terminal.shows('What is to be repaired?');
    terminal.type('Make it 3', enter);
    await terminal.shows('! nothing was changed: revision 2 has the same tree as the one that you saw');
    await terminal.shows('│ It is right as it is.');
    await choose(terminal, 'What now?');
    expect(await terminal.ended).toBe(0);
  });

  test('offers a repair when the verification fails, and ends with 5 when it is left so', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const file = contractFile(workshop, provenBy('grep', '-n', 'x = 3', 'src/x.ts'));
    const terminal = openTerminal(workshop, ['run', file, '--id', 'fails']);
    await approve(terminal);
    await choose(terminal, 'What now?');
    await terminal.shows('failed check: exited with 1');
    await terminal.shows('● Ask the worker for a repair');
    await choose(terminal, 'Cancel the task', 4);
    expect(await terminal.ended).toBe(5);
  });

  test('puts the question of a worker to the person, and hands the answer on', async () => {
    const question = { do: 'question' as const, question: 'Which value?', answers: ['two', 'three'] };
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [question, ...raiseX(2).steps] }] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'asks']);
    await terminal.shows('│ other (Which value?)');
    await choose(terminal, 'May it?', 1);
    await terminal.shows('│ [answer] three');
    await terminal.shows('Do you approve');
    terminal.type(interrupt);
    expect(await terminal.ended).toBe(130);
  });

  test('shows why a task is paused and resumes it, and cancels one only when asked twice', async () => {
    const idle = { steps: [{ do: 'say' as const, text: 'Nothing to do.' }] };
    const workshop = makeWorkshop({ script: { prompts: [idle, idle] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'pauses']);
    await terminal.shows('pauses is paused (no_change_in_scope)');
    await terminal.shows('What the worker said last');
    await terminal.shows('│ Nothing to do.');
    await choose(terminal, 'Shall it go on?');
    await terminal.shows('goes on');
    await terminal.shows('pauses is paused (no_change_in_scope)');
    await choose(terminal, 'Shall it go on?', 3);
    await terminal.shows('Cancel it for good?');
    terminal.type('y');
    await terminal.shows('pauses  cancelled');
    expect(await terminal.ended).toBe(1);
  });

  test('tells the worker what the person wanted to say, with the prompt that it goes on with', async () => {
    const idle = { steps: [{ do: 'say' as const, text: 'Nothing to do.' }] };
    const workshop = makeWorkshop({ script: { prompts: [idle, raiseX(2)] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'guided']);
    await terminal.shows('guided is paused (no_change_in_scope)');
    await choose(terminal, 'Shall it go on?', 1);
    await terminal.shows('What should the worker know?');
    terminal.type('It stands in src', enter);
    await terminal.shows('• goes on');
    await terminal.shows('│ It stands in src');
    await terminal.shows('Do you approve');
    const home = join(workshop.stateDirectory, 'tasks/guided/home');
    expect(readFileSync(join(home, '.scripted-agent/prompt-1.txt'), 'utf8')).toContain('It stands in src');
    terminal.type(interrupt);
    expect(await terminal.ended).toBe(130);
  });

  test('leaves on Ctrl-C while the worker works, which goes on to its review, and comes back to it', async () => {
    const steps = [{ do: 'wait_for' as const, path: 'go' }, { do: 'delete' as const, path: 'go' }, ...raiseX(2).steps];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const file = contractFile(workshop);
    const terminal = openTerminal(workshop, ['run', file, '--id', 'left']);
    await terminal.shows('left  running');
    terminal.type(interrupt);
    await terminal.shows('you left; task left goes on in the background');
    await terminal.shows('remit task attach left');
    await terminal.shows('remit task cancel left');
    expect(await terminal.ended).toBe(130);
    writeFileSync(join(workshop.stateDirectory, 'worktrees', 'left', 'go'), '');
    expect(await remit(workshop, ['run', file, '--id', 'left', '--yes'])).toMatchObject({ code: 0 });
    expect(log(workshop, 'left')).not.toBe('');
  });

  test.each([
    ['Ctrl-C', interrupt],
    ['Ctrl-D', endOfInput],
  ])('leaves on %s in the middle of a question; the task waits for its review', async (_, key) => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const file = contractFile(workshop);
    const terminal = openTerminal(workshop, ['run', file, '--id', 'waits']);
    await terminal.shows('Do you approve');
    await terminal.shows('● No');
    terminal.type(key);
    await terminal.shows('you left; task waits waits for its review');
    expect(await terminal.ended).toBe(130);
    const back = openTerminal(workshop, ['task', 'attach', 'waits']);
    await approve(back);
    await choose(back, 'What now?');
    expect(await back.ended).toBe(0);
  });

  test('takes its question back when somebody else decides meanwhile', async () => {
    const workshop = makeWorkshop({ script: { prompts: [raiseX(2)] } });
    const terminal = openTerminal(workshop, ['run', contractFile(workshop), '--id', 'taken']);
    await terminal.shows('Do you approve');
    expect(await remit(workshop, ['task', 'cancel', 'taken'])).toMatchObject({ code: 0 });
    await terminal.shows('the task went on meanwhile');
    expect(await terminal.ended).toBe(1);
  });

  test('shows a diff that is longer than the screen in the pager of the person, told to start nothing', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => `export const x${at} = ${at};`);
    const write = { do: 'write' as const, path: 'src/x.ts', content: lines.join('\n') };
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [write] }] } });
    const [pager, seen] = [join(workshop.directory, 'pager'), join(workshop.directory, 'seen')];
    writeFileSync(pager, `#!/bin/sh\necho "secure $LESSSECURE $1" > ${seen}\ncat >> ${seen}\n`);
    chmodSync(pager, 0o755);
    const environment = { PAGER: `${pager} --quiet`, NO_COLOR: '1' };
    const terminal = openTerminal(workshop, ['run', contractFile(workshop)], { environment, rows: 40 });
    await terminal.shows('Do you approve');
    const paged = readFileSync(seen, 'utf8');
    expect(paged).toMatch(/^secure 1 --quiet\n {2}│ diff --git/);
    expect(paged).toContain('│ +export const x79 = 79;');
    expect(terminal.raw()).not.toContain('x79');
    terminal.type(interrupt);
    expect(await terminal.ended).toBe(130);
  });

  test('leaves on Ctrl-C out of the pager, which ends with it', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => `export const x${at} = ${at};`);
    const write = { do: 'write' as const, path: 'src/x.ts', content: lines.join('\n') };
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [write] }] } });
    const [pager, pid] = [join(workshop.directory, 'pager'), join(workshop.directory, 'pid')];
    writeFileSync(pager, `#!/bin/sh\ntrap '' INT\ncat > ${pid}.text\necho $$ > ${pid}\nexec sleep 300\n`);
    chmodSync(pager, 0o755);
    const terminal = openTerminal(workshop, ['run', contractFile(workshop)], { environment: { PAGER: pager } });
    await terminal.shows('The diff opens in');
    await vi.waitUntil(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 60_000 });
    terminal.type(interrupt);
    await terminal.shows('waits for its review');
    expect(await terminal.ended).toBe(130);
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  });

  test('asks nothing with --yes, and obeys no code that a worker wrote', async () => {
    const lie = '\u001b[2J\u001b[1;1H\u001b]0;owned\u0007remit: committed';
    const steps = [
      { do: 'write' as const, path: 'src/x.ts', content: `${lie}\n` },
      { do: 'say' as const, text: lie },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const file = contractFile(workshop);
    const asking = openTerminal(workshop, ['run', file, '--id', 'lies']);
    await asking.shows('Do you approve');
    asking.type(interrupt);
    expect(await asking.ended).toBe(130);
    const terminal = openTerminal(workshop, ['run', file, '--id', 'lies', '--yes']);
    expect(await terminal.ended).toBe(0);
    for (const raw of [asking.raw(), terminal.raw()]) {
      expect(raw).not.toMatch(/\u001b\[2J|\u001b\[1;1H|\u001b\]0/);
      expect(raw.split('\n').filter((line) => line.startsWith('remit: committed'))).toEqual([]);
    }
    expect(asking.raw()).toContain('\\x1B[2J');
  });
});
