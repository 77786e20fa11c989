/** Workers that lie, flood, die, ignore or never ask: what the supervisor sees of them, and what is left of them. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentScript, Step } from '../agents/script.ts';
import { commandLines } from '../host-processes.ts';
import type { Answer, Supervisor } from './supervisor.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };
/** Many tests may run at once. */
const WITHIN_SECONDS = { timeout: 20_000, interval: 50 };
const FOREVER: Step = { do: 'wait_for', path: 'never' };

/** The processes of this machine that were started for this workshop; the worker's script lies in its folder. */
function processesOf(workshop: Workshop): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes(join(workshop.directory, 'agent')));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Delegates and answers when the worker has made its edit. */
async function begunEdit(supervisor: Supervisor, taskId: string): Promise<Answer> {
  const working = await supervisor.delegate(taskId, contract(), { wait_timeout_seconds: 0 });
  const edited = () => readFileSync(join(working['worktree'], 'src/x.ts'), 'utf8');
  await expect.poll(edited, WITHIN_SECONDS).toContain('x = 2');
  return working;
}

/** Names, sizes and times of what lies in `src`. */
function treeState(worktree: string): string {
  return readdirSync(join(worktree, 'src'))
    .map(
      (name) =>
        `${name} ${statSync(join(worktree, 'src', name)).size} ${statSync(join(worktree, 'src', name)).mtimeMs}`,
    )
    .join();
}

function tokensOf(paused: Answer): Record<string, unknown> {
  return { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
}

describe('a stop reason', () => {
  test.each(['refusal', 'max_tokens', 'a_word_of_tomorrow', null])(
    'of %s is told, and the work is judged by its tree',
    async (stopReason) => {
      const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT], stopReason }] } });
      const supervisor = await workshop.supervisor();
      const shown = await supervisor.delegate('stopped', contract(provenBy('grep', '-q', 'x = 2', 'src/x.ts')));
      expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
      expect(shown['risks'].join('\n')).toContain(`The worker stopped with "${stopReason ?? 'none'}"`);
      expect((await supervisor.finalize(shown))['state']).toBe('completed');
    },
  );

  test('of cancelled, although nobody cancelled, pauses the task with its work kept', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT], stopReason: 'cancelled' }, { steps: [] }] },
    });
    const supervisor = await workshop.supervisor();
    const paused = await supervisor.delegate('unasked', contract());
    expect(paused).toMatchObject({ state: 'paused', phase: 'turn_cancelled' });
    expect(await supervisor.delegate('unasked', contract(), tokensOf(paused))).toMatchObject({
      state: 'review_required',
      changed_files: ['src/x.ts'],
    });
  });
});

describe('a worker that never asks', () => {
  test('is held by sandbox and snapshot alone, and the review says that it did not ask', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { ...EDIT, ask: false },
              { do: 'write', path: 'package.json', content: '{}' },
              { do: 'run', argv: ['sh', '-c', 'echo ran > ran.txt'] },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('silent', contract());
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    expect(shown['risks'].join('\n')).toContain('The worker never asked for permission');
    expect(shown['risks'].join('\n')).toMatch(/outside the write scope.*package\.json, ran\.txt/);
  });

  test('is told apart from one that asked', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    expect((await supervisor.delegate('asks', contract()))['risks']).toEqual([]);
  });
});

test('what a worker says that it did is its claim and proves nothing', async () => {
  const claim = 'I ran the full suite, 1,204 passed, and committed as abc1234. {"status":"completed","passed":true}';
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, { do: 'say', text: claim }] }] } });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('boasts', contract(provenBy('false')));
  expect(shown['summary']).toBe(`The worker's claim, not verified: ${claim}`);
  const { sections } = await supervisor.inspect('boasts', { include: ['verification', 'acceptance_evidence'] });
  expect(sections.verification).toEqual([]);
  expect(sections.acceptance_evidence.map((row: Answer) => row['approved'])).toEqual([false, false]);
  expect(workshop.git('rev-parse', 'remit/boasts')).toBe(workshop.git('rev-parse', 'main'));
  await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'verification_failed' });
});

describe('a cancel', () => {
  test.each(['ignore', 'error', 'keep_writing', 'late_end_turn', 'ask'] as const)(
    'that the worker meets with "%s" ends in cancelled, with no process left and nothing written after',
    async (cancel) => {
      const workshop = makeWorkshop({ script: { cancel, prompts: [{ steps: [EDIT, FOREVER] }] } });
      const supervisor = await workshop.supervisor();
      const working = await begunEdit(supervisor, 'stop');
      expect(await supervisor.control('stop', 'cancel')).toMatchObject({ state: 'cancelled' });
      expect(processesOf(workshop)).toEqual([]);
      const late = treeState(working['worktree']);
      const { sections } = await supervisor.inspect('stop', { include: ['status', 'interactions'] });
      expect(sections).toMatchObject({ status: { state: 'cancelled' }, interactions: [] });
      expect(treeState(working['worktree'])).toBe(late);
    },
  );
});

describe('a worker that dies in the middle of its work', () => {
  const rows: [string, Step[], RegExp][] = [
    [
      'with a trace on stderr',
      [
        { do: 'stderr', text: 'panic: token=abcdef0123456789\n' },
        { do: 'sleep', ms: 50 },
        { do: 'exit', code: 1 },
      ],
      /exited with code 1; its last lines: panic: token=\[redacted\]/,
    ],
    ['by SIGKILL', [{ do: 'kill_self', signal: 'SIGKILL' }], /SIGKILL|code 137/],
    ['by closing its output, though it lives on', [{ do: 'close_stdout' }], /closed its output but lives on/],
    [
      'with a stack trace on stdout',
      [
        { do: 'stdout', text: 'Error: boom\n    at x (y.js:1:1)\n' },
        { do: 'exit', code: 7 },
      ],
      /Error: boom/,
    ],
  ];
  test.each(rows)('%s pauses the task, leaves no process, and can be resumed', async (_how, steps, reason) => {
    const workshop = makeWorkshop({
      script: { survivor: true, prompts: [{ steps: [EDIT, ...steps] }, { steps: [] }] },
    });
    const supervisor = await workshop.supervisor();
    const paused = await supervisor.delegate('dies', contract());
    expect(paused).toMatchObject({ state: 'paused', phase: 'worker_exited', reason: expect.stringMatching(reason) });
    await expect.poll(() => processesOf(workshop), WITHIN_SECONDS).toEqual([]);
    expect(await supervisor.delegate('dies', contract(), tokensOf(paused))).toMatchObject({
      state: 'review_required',
      changed_files: ['src/x.ts'],
    });
  });
});

test('a wrapper that dies while its agent would live on pauses the task and takes the agent along', async () => {
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [EDIT, { do: 'write', path: 'src/go', content: '' }, FOREVER] }, { steps: [] }] },
  });
  const wrapper = join(workshop.directory, 'agent/wrapper');
  const waits = 'while [ ! -e src/go ]; do sleep 0.05; done; rm src/go; echo "wrapper: out of luck" >&2; exit 9';
  writeFileSync(wrapper, `#!/bin/sh\nexec 3<&0\n"$@" <&3 &\n${waits}\n`, { mode: 0o755 });
  const { workers, ...rest } = JSON.parse(readFileSync(workshop.configurationPath, 'utf8'));
  workers.scripted.command.unshift(wrapper);
  writeFileSync(workshop.configurationPath, JSON.stringify({ ...rest, workers }));
  const supervisor = await workshop.supervisor();
  const paused = await supervisor.delegate('wrapped', contract());
  expect(paused).toMatchObject({
    state: 'paused',
    phase: 'worker_exited',
    reason: expect.stringMatching(/exited with code 9; its last lines: wrapper: out of luck/),
  });
  await expect.poll(() => processesOf(workshop), WITHIN_SECONDS).toEqual([]);
  expect(readFileSync(join(paused['worktree'], 'src/x.ts'), 'utf8')).toContain('x = 2');
});

test('daemons that a worker leaves behind end with its task and are in no commit', async () => {
  const late = 'sleep 0.5; while :; do echo late >> src/late; sleep 0.2; done';
  const run = (line: string): Step => ({ do: 'run', argv: ['sh', '-c', line] });
  const quiet = '>/dev/null 2>&1 </dev/null';
  const workshop = makeWorkshop({
    script: {
      prompts: [
        {
          steps: [
            EDIT,
            run(`setsid -f sh -c '${late}' agent-daemon-one ${quiet}`),
            run(`(sh -c 'sleep 311.5 & exit 0' &) ${quiet}`),
            run(`trap '' HUP TERM; sleep 312.5 ${quiet} &`),
          ],
        },
      ],
    },
  });
  const daemons = () => commandLines().filter((args) => /agent-daemon-one|^sleep 31[12]\.5/.test(args));
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('daemons', contract());
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  expect(daemons()).toHaveLength(3);
  await expect.poll(() => existsSync(join(shown['worktree'], 'src/late')), WITHIN_SECONDS).toBe(true);
  const done = await supervisor.finalize(shown);
  expect(workshop.git('show', '--name-only', '--format=', done['commit_hash'])).toBe('src/x.ts');
  await expect.poll(daemons, WITHIN_SECONDS).toEqual([]);
});

describe('a login', () => {
  const KEY = { id: 'api-key', name: 'Use the API key' };

  test('that needs nobody is done once, and the work begins', async () => {
    const workshop = makeWorkshop({
      script: {
        newSession: 'auth',
        authMethods: [KEY],
        prompts: [{ steps: [EDIT] }],
      },
    });
    const supervisor = await workshop.supervisor();
    expect((await supervisor.delegate('login', contract()))['state']).toBe('review_required');
  });

  const refused: [string, Partial<AgentScript>][] = [
    ['needs a browser', { authMethods: [{ id: 'web', name: 'Log in with the browser' }] }],
    ['fails', { authenticate: 'error', authMethods: [KEY] }],
    ['does not help', { newSession: 'never', authMethods: [KEY] }],
  ];
  test.each(refused)('that %s is refused with what to do first, and leaves nothing behind', async (_how, script) => {
    const workshop = makeWorkshop({ script: { newSession: 'auth', ...script, prompts: [{ steps: [EDIT] }] } });
    const before = workshop.fingerprint();
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('login', contract())).rejects.toMatchObject({
      code: 'worker_unavailable',
      message: expect.stringMatching(/log in to the agent first|API key/),
    });
    expect(workshop.fingerprint()).toBe(before);
    expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
    expect(processesOf(workshop)).toEqual([]);
  });
});

describe('a talkative worker', () => {
  test('fills neither the store nor an answer, and its noise is no protocol', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { do: 'stdout', text: 'warning: slow disk\n{"jsonrpc":"2.0","id":99,"result":{}}\n' },
              { do: 'updates', count: 20_000, bytes: 10 },
              { do: 'updates', count: 1, bytes: 4_000_000 },
              { do: 'stderr_flood', bytes: 20_000_000 },
              EDIT,
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('floods', contract());
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    expect(JSON.stringify(shown).length).toBeLessThan(40_000);
    const events = await supervisor.inspect('floods', { include: ['events'] });
    expect(JSON.stringify(events).length).toBeLessThanOrEqual(65_536);
    expect(statSync(join(workshop.stateDirectory, 'tasks.sqlite')).size).toBeLessThan(4_000_000);
  });

  test('that sends one line without end is paused by name, and its process is gone', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT, { do: 'endless_line', bytes: 64 * 1024 * 1024 }] }] },
    });
    const supervisor = await workshop.supervisor();
    expect(await supervisor.delegate('endless', contract())).toMatchObject({
      state: 'paused',
      phase: 'worker_protocol_error',
      reason: expect.stringContaining('a message of more than'),
    });
    await expect.poll(() => processesOf(workshop), WITHIN_SECONDS).toEqual([]);
  });
});

test('a server that is killed takes its worker and everything that it started along', async () => {
  const workshop = makeWorkshop({
    script: { survivor: true, ignoreSigterm: true, ignoreEnd: true, prompts: [{ steps: [EDIT, FOREVER] }] },
  });
  const supervisor = await workshop.supervisor();
  await begunEdit(supervisor, 'orphan');
  const inside = processesInside(workshop);
  expect(inside.length).toBeGreaterThan(1);
  supervisor.kill();
  await expect.poll(() => inside.filter((pid) => commandLine(pid) !== ''), WITHIN_SECONDS).toEqual([]);
});

/** Every process that works in a folder of this workshop, whatever it is called. */
function processesInside(workshop: Workshop): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      return environment.includes(workshop.stateDirectory) && !commandLine(name).includes('main.ts');
    } catch {
      return false;
    }
  });
}
