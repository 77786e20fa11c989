/** The bundled worker under the host: every effect is the host's, and by its own record it judges the work. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { remit } from '../cli/shell.ts';
import type { ScriptedToolCall, ScriptedTurn } from '../model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../model/scripted-model.ts';
import type { Answer, Supervisor } from './supervisor.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const KEY = 'sk-the-key-of-the-endpoint';
const TASK = 'own';
const X = 'src/x.ts';

const call = (name: string, input: Record<string, unknown>): ScriptedToolCall => ({ name, arguments: input });
const read = (path = X) => call('read_file', { path });
const edit = (from: number, to: number) =>
  call('edit_file', { path: X, old_string: `x = ${from};`, new_string: `x = ${to};` });
const bash = (...argv: string[]) => call('bash', { argv });
const report = (more: Record<string, unknown> = {}) =>
  call('review_report', { kind: 'review', verdict: 'pass', reviewed_paths: [X], findings: [], ...more });
const done: ScriptedTurn = { text: 'x is 2.' };
const says = (...calls: ScriptedToolCall[]): ScriptedTurn => ({ toolCalls: calls });
const WORK = [says(read()), says(edit(1, 2))];
const REVIEW = [says(read()), says(report())];

interface Stage {
  readonly workshop: Workshop;
  readonly model: ScriptedModel;
  readonly worktree: string;
}

async function stageOf(turns: readonly ScriptedTurn[], entry: Record<string, unknown> = {}): Promise<Stage> {
  const model = await startScriptedModel({ turns });
  onTestFinished(() => model.close());
  const own = {
    adapter: 'builtin',
    model: 'openai-compatible:scripted',
    baseUrl: `${model.baseUrl}/v1`,
    apiKeyEnv: 'MY_KEY',
  };
  const workshop = makeWorkshop({ configuration: { worker: 'own', workers: { own: { ...own, ...entry } } } });
  Object.assign(workshop.environment, { MY_KEY: KEY });
  return { workshop, model, worktree: join(workshop.stateDirectory, 'worktrees', TASK) };
}

/** What the model was told last, with everything before it. */
const heard = ({ model }: Stage) =>
  model.requests
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join('\n') ?? '';

function tokensOf(paused: Answer): Record<string, unknown> {
  return { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
}

async function taskShell(workshop: Workshop, ...words: string[]): Promise<string> {
  const { code, out, err } = await remit(workshop, ['task', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

async function receiptsOf(workshop: Workshop): Promise<Answer[]> {
  return JSON.parse(await taskShell(workshop, 'show', TASK, '--evidence', '--json')).receipts;
}

test('its review, and the receipts that it rests on, are in the bundle, the evidence and the commit', async () => {
  const finding = { summary: 'x could be a name', severity: 'low', path: X, line: 1 };
  const stage = await stageOf([...WORK, says(read()), says(report({ verdict: 'warn', findings: [finding] })), done]);
  const before = stage.workshop.fingerprint();
  const supervisor = await stage.workshop.supervisor();
  const shown = await supervisor.delegate(TASK, contract());
  expect(shown).toMatchObject({ state: 'review_required', changed_files: [X], risks: [] });
  const { reports, evidence, unverified } = shown['worker_review'];
  expect(reports).toEqual([{ kind: 'review', verdict: 'warn', findings: [finding] }]);
  expect({ evidence, unverified }).toEqual({ evidence: [{ path: X, receipts: [expect.any(Number)] }], unverified: 0 });

  const receipts = await receiptsOf(stage.workshop);
  const effects = receipts.filter(({ kind }) => kind !== 'permission');
  expect(effects.map(({ source, kind, subject, success }) => [source, kind, subject, success])).toEqual([
    ['host', 'read', X, true],
    ['host', 'write', X, true],
    ['host', 'read', X, true],
    ['worker', 'report', 'review: warn', true],
  ]);
  expect(receipts.find(({ seq }) => seq === evidence[0].receipts[0])).toMatchObject({ kind: 'read', subject: X });
  const page = await taskShell(stage.workshop, 'show', TASK, '--evidence');
  expect(page).toMatch(/write: src\/x\.ts, modified, lines 1 of 1/);
  expect(page).toMatch(/report \(the worker claims\): review: warn/);
  expect(await taskShell(stage.workshop, 'show', TASK)).toContain('- low src/x.ts:1: x could be a name');

  expect(await supervisor.finalize(shown)).toMatchObject({ state: 'completed' });
  const { document } = JSON.parse(await taskShell(stage.workshop, 'show', TASK, '--evidence', '--json'));
  expect(document.worker.review.reports[0].verdict).toBe('warn');
  expect(stage.workshop.git('show', `remit/${TASK}:${X}`)).toBe('export const x = 2;');
  expect(stage.workshop.fingerprint()).toBe(before);
});

test('work that is not ready pauses with what is missing, is told so when it is resumed, and then goes through', async () => {
  const stage = await stageOf([...WORK, done, done, ...REVIEW, done]);
  const supervisor = await stage.workshop.supervisor();
  const paused = await supervisor.delegate(TASK, contract());
  expect(paused).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
  expect(paused['reason']).toContain(`${X} was not read since its latest change`);
  expect(paused['reason']).toContain('Call review_report {');
  const shown = await supervisor.delegate(TASK, contract(), tokensOf(paused));
  expect(shown).toMatchObject({ state: 'review_required', changed_files: [X] });
  expect(heard(stage)).toContain('was not read since its latest change');
});

describe('in the deep lane', () => {
  const deep = { worker_lane: 'deep' };
  const proven = contract(provenBy('grep', '-q', 'x = 2', X));

  test('verification must have passed since the last change', async () => {
    const stage = await stageOf([...WORK, ...REVIEW, done, says(bash('grep', '-q', 'x = 2', X)), done]);
    const supervisor = await stage.workshop.supervisor();
    const shown = await supervisor.delegate(TASK, proven, deep);
    expect(shown).toMatchObject({ state: 'review_required' });
    expect(heard(stage)).toContain('has not run since the last change. Call bash {"argv":["grep","-q","x = 2"');
    expect(await supervisor.finalize(shown)).toMatchObject({ state: 'completed' });
  });

  test('one that failed is not outweighed by a claim', async () => {
    const wrong = [says(read()), says(edit(1, 3)), says(read()), says(report()), says(bash('grep', '-q', 'x = 2', X))];
    const stage = await stageOf([...wrong, { text: 'All verification passed.', times: 9 }]);
    const supervisor = await stage.workshop.supervisor();
    const paused = await supervisor.delegate(TASK, proven, deep);
    expect(paused).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
    expect(paused['reason']).toContain('did not pass when it last ran');
  });
});

describe('what nobody told the host', () => {
  test('a file that is written behind its back must be reviewed, although the worker said that all is well', async () => {
    const behind = () => {
      writeFileSync(join(stage.worktree, 'src/hidden.ts'), 'export const y = 1;\n');
      return [report()];
    };
    const stage = await stageOf([...WORK, says(read()), { toolCalls: behind }, { ...done, times: 9 }]);
    const supervisor = await stage.workshop.supervisor();
    const paused = await supervisor.delegate(TASK, contract());
    expect(paused).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
    expect(paused['reason']).toContain('src/hidden.ts was not read');
    const found = (await receiptsOf(stage.workshop)).find(({ subject }) => subject === 'src/hidden.ts');
    expect(found).toMatchObject({
      source: 'host',
      kind: 'write',
      facts: { how: expect.stringContaining('found by the host') },
    });
  });

  test('a file that is changed again after its review must be reviewed again', async () => {
    const behind = () => {
      writeFileSync(join(stage.worktree, X), 'export const x = 666;\n');
      return [read('a.txt')];
    };
    const stage = await stageOf([...WORK, ...REVIEW, { toolCalls: behind }, { ...done, times: 9 }]);
    const supervisor = await stage.workshop.supervisor();
    expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
  });

  test('what a command changed is on record before the command is', async () => {
    const stage = await stageOf([says(bash('./change.sh')), says(read()), says(report()), done]);
    stage.workshop.write('change.sh', "#!/bin/sh\necho 'export const x = 2;' > src/x.ts\necho out > elsewhere.txt\n");
    stage.workshop.git('add', '.');
    stage.workshop.git('update-index', '--chmod=+x', 'change.sh');
    stage.workshop.git('commit', '-qm', 'A command');
    const supervisor = await stage.workshop.supervisor();
    const shown = await supervisor.delegate(
      TASK,
      contract({ allowed_commands: [{ id: 'change', argv: ['./change.sh'] }] }),
    );
    expect(shown).toMatchObject({ state: 'review_required', changed_files: [X] });
    const effects = (await receiptsOf(stage.workshop)).filter(({ kind }) => kind !== 'permission');
    expect(effects.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['write', X],
      ['command', './change.sh'],
      ['read', X],
      ['report', 'review: pass'],
    ]);
  });
});

test('the worker’s own process cannot write its worktree, so that it swaps nothing that the host looks at', async () => {
  const mounts: string[] = [];
  const looked = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) mounts.push(...mountsOf(pid));
    return [read()];
  };
  const mountsOf = (pid: string): string[] => {
    try {
      if (!/agent\/main\.ts|worker\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return [];
      const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
      return lines
        .map((line) => line.split(' ').slice(4, 6).join(' '))
        .filter((line) => line.startsWith(stage.worktree));
    } catch {
      return [];
    }
  };
  const stage = await stageOf([{ toolCalls: looked }, says(edit(1, 2)), ...REVIEW, done]);
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'review_required' });
  expect(mounts).toContainEqual(expect.stringMatching(new RegExp(`^${stage.worktree} ro`)));
  expect(mounts).not.toContainEqual(expect.stringMatching(new RegExp(`^${stage.worktree} rw`)));
});

test('another pair of eyes must open them: what the author read does not count for it', async () => {
  const author = [...WORK, says(read()), done];
  const lazy = [says(report()), says(read()), says(report())];
  const eyes = await startScriptedModel({ turns: lazy });
  onTestFinished(() => eyes.close());
  const reviewer = { model: 'openai-compatible:eyes', baseUrl: `${eyes.baseUrl}/v1` };
  const stage = await stageOf(author, { reviewer });
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'review_required' });
  expect(eyes.requests[1]?.messages.at(-1)?.text).toContain(`${X} was not read since its latest change`);
  expect(eyes.turnsLeft).toBe(0);
});

test('by the host’s own record a report counts after a look at the change, and after nothing less', async () => {
  const looks: [string, ScriptedToolCall[], string[]][] = [
    ['the write itself', [], [X]],
    ['a summary', [bash('git', 'diff', '--stat')], [X]],
    ['the base', [bash('git', 'show', `HEAD:${X}`)], [X]],
    ['a command that failed', [bash('cat', X, 'missing')], [X]],
    ['another file', [read('a.txt')], [X]],
    ['the difference, of the bare name', [bash('git', 'diff', 'HEAD', '--', X)], ['x.ts']],
    ['the difference', [], [`./${X}`]],
  ];
  const turns = looks.flatMap(([, calls, reviewed_paths]) => [
    ...calls.map((made) => says(made)),
    says(report({ reviewed_paths })),
  ]);
  const stage = await stageOf([...WORK, ...turns, done]);
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'review_required' });
  const reports = (await receiptsOf(stage.workshop)).filter(({ kind }) => kind === 'report');
  expect(reports.map(({ success }, at) => [looks[at]?.[0], success])).toEqual(
    looks.map(([what]) => [what, what === 'the difference']),
  );
});

describe('a command that comes after the review', () => {
  async function afterReview(script: string, reviewed = [says(read()), says(report())]): Promise<Answer> {
    const stage = await stageOf([...WORK, ...reviewed, says(bash('./late.sh')), { ...done, times: 9 }]);
    stage.workshop.write('late.sh', `#!/bin/sh\n${script}\n`);
    stage.workshop.git('add', '.');
    stage.workshop.git('update-index', '--chmod=+x', 'late.sh');
    stage.workshop.git('commit', '-qm', 'A command');
    const supervisor = await stage.workshop.supervisor();
    return supervisor.delegate(TASK, contract({ allowed_commands: [{ id: 'late', argv: ['./late.sh'] }] }));
  }

  test('lets it stand when it changed nothing', async () => {
    expect(await afterReview('true')).toMatchObject({ state: 'review_required' });
  });

  test.each([
    ['changes only the mode of what was reviewed', 'chmod +x src/x.ts', X],
    ['deletes what was reviewed', 'rm src/x.ts', X],
    ['puts a link in its place', 'ln -sf y.ts src/x.ts', X],
    ['makes a link, which no read shows', 'ln -s x.ts src/l.ts', 'src/l.ts'],
    ['makes a file that is no text', "printf 'a\\nb\\n\\377' > src/b.bin", 'src/b.bin'],
  ])('and %s makes it void', async (_what, script, path) => {
    const paused = await afterReview(script);
    expect(paused).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
    expect(paused['reason']).toContain(path);
  });
});

test.each([
  [
    'lines',
    `${'x'.repeat(99)}\n`.repeat(1500),
    /src\/long\.ts was not read since its latest change \(lines 3\d\d-1500\)/,
  ],
  ['one line', 'x'.repeat(100_000), /src\/long\.ts was not read since its latest change \(line 1\)/],
])('of more %s than a call shows only those count as read that were shown', async (_what, content, gap) => {
  const path = 'src/long.ts';
  const writes = says(call('write_file', { path, content }));
  const stage = await stageOf([
    writes,
    says(read(path)),
    says(report({ reviewed_paths: [path] })),
    { ...done, times: 9 },
  ]);
  const supervisor = await stage.workshop.supervisor();
  const paused = await supervisor.delegate(TASK, contract());
  expect(paused).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
  expect(paused['reason']).toMatch(gap);
});

test('what the configuration of the repository makes of a difference is no sight of it', async () => {
  const stage = await stageOf([...WORK, says(bash('git', 'diff')), says(report()), done]);
  const { workshop } = stage;
  workshop.write('fake.sh', '#!/bin/sh\necho nothing to see\n');
  workshop.git('add', '.');
  workshop.git('update-index', '--chmod=+x', 'fake.sh');
  workshop.git('commit', '-qm', 'A program');
  workshop.git('config', 'diff.external', './fake.sh');
  workshop.git('config', 'core.fsmonitor', './fake.sh');
  const supervisor = await workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'review_required', changed_files: [X] });
  expect(heard(stage)).toContain('+export const x = 2;');
  expect(heard(stage)).not.toContain('nothing to see');
});

test.each([
  ['the model', [says(call('write_file', { path: 'src/a\udcffb', content: 'odd\n' }))], [read('src/a\udcffb')]],
  ['a command', [says(bash('./odd.sh'))], [read('src/a\udcffb')]],
])('a name that is no UTF-8, given by %s, is reviewed like any other', async (_who, makes, looks) => {
  const stage = await stageOf([...makes, says(...looks), says(report({ reviewed_paths: ['src/a\udcffb'] })), done]);
  stage.workshop.write('odd.sh', "#!/bin/sh\nprintf 'odd\\n' > \"$(printf 'src/a\\377b')\"\n");
  stage.workshop.git('add', '.');
  stage.workshop.git('update-index', '--chmod=+x', 'odd.sh');
  stage.workshop.git('commit', '-qm', 'A command');
  const supervisor = await stage.workshop.supervisor();
  const shown = await supervisor.delegate(TASK, contract({ allowed_commands: [{ id: 'odd', argv: ['./odd.sh'] }] }));
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/a\\xFFb'] });
  const reports = (await receiptsOf(stage.workshop)).filter(({ kind }) => kind === 'report');
  expect(reports).toMatchObject([{ success: true }]);
  expect(await supervisor.finalize(shown)).toMatchObject({ state: 'completed' });
});

test('a name that no file can have is refused before anything is done', async () => {
  const stage = await stageOf([says(call('write_file', { path: 'src/\ud800', content: 'odd\n' })), done]);
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'paused', phase: 'no_change_in_scope' });
});

test('what Git converts when it is committed is reviewed as it stands in the worktree', async () => {
  const stage = await stageOf([...WORK, ...REVIEW, done]);
  stage.workshop.write('.gitattributes', '*.ts text eol=crlf ident\n');
  stage.workshop.write(X, 'export const x = 1; // $Id$\n');
  stage.workshop.git('add', '.');
  stage.workshop.git('commit', '-qm', 'Attributes');
  const supervisor = await stage.workshop.supervisor();
  const shown = await supervisor.delegate(TASK, contract());
  expect(shown).toMatchObject({ state: 'review_required', changed_files: [X] });
  expect(heard(stage)).toMatch(/x = 2; \/\/ \$Id: /);
  expect(readFileSync(join(stage.worktree, X), 'utf8')).toContain('\r\n');
});

test('a report of what was not read is refused by the host, with the call that is missing', async () => {
  const stage = await stageOf([...WORK, says(report()), { ...done, times: 9 }]);
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'paused', phase: 'readiness_paused' });
  expect(heard(stage)).toContain('The report is not accepted.');
  const reports = (await receiptsOf(stage.workshop)).filter(({ kind }) => kind === 'report');
  expect(reports.map(({ source, success }) => [source, success])).toEqual([['worker', false]]);
});

test('what the contract does not allow is refused with its clause, and leaves nothing behind', async () => {
  const outside = call('write_file', { path: 'a.txt', content: 'omega\n' });
  const removed = call('delete_file', { path: 'a.txt' });
  const moved = call('move_file', { from: X, to: 'x.ts' });
  const stage = await stageOf([
    says(read('a.txt'), read()),
    says(outside, removed, moved, bash('git', 'commit', '-m', 'mine'), bash('curl', 'http://127.0.0.1')),
    { text: 'Then nothing.' },
  ]);
  const supervisor = await stage.workshop.supervisor();
  expect(await supervisor.delegate(TASK, contract())).toMatchObject({ state: 'paused', phase: 'no_change_in_scope' });
  expect(readFileSync(join(stage.worktree, 'a.txt'), 'utf8')).toBe('alpha\n');
  const answers =
    stage.model.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .slice(2) ?? [];
  expect(answers.map(({ text }) => text.includes('is denied'))).toEqual([true, true, true, true, true]);
  expect(answers[0]?.text).toContain('no pattern of write_scope covers a.txt');
});

test('the key of the endpoint is nowhere but in the requests: no command, event, log or answer has it', async () => {
  const script = '#!/bin/sh\nenv\ncat /proc/*/environ | tr "\\0" "\\n"\n';
  const stage = await stageOf([says(bash('./look.sh')), ...WORK, ...REVIEW, { text: `The key is ${KEY}.` }]);
  stage.workshop.write('look.sh', script);
  stage.workshop.git('add', '.');
  stage.workshop.git('update-index', '--chmod=+x', 'look.sh');
  stage.workshop.git('commit', '-qm', 'A curious command');
  const supervisor = await stage.workshop.supervisor();
  const shown = await supervisor.delegate(TASK, contract({ allowed_commands: [{ id: 'look', argv: ['./look.sh'] }] }));
  expect(shown).toMatchObject({ state: 'review_required' });
  expect(JSON.stringify(stage.model.requests[0]?.headers)).toContain(KEY);
  const looked = stage.model.requests[1]?.messages.at(-1)?.text ?? '';
  expect(looked).toContain('PATH=');
  expect(looked).not.toContain(KEY);
  const { sections } = await supervisor.inspect(TASK, { include: ['events', 'summary'] });
  expect(JSON.stringify([shown, sections, await receiptsOf(stage.workshop)])).not.toContain(KEY);
});

test('a command has no network: only the worker’s own process reaches the model', async () => {
  const stage = await stageOf([says(bash('./reach.sh')), ...WORK, ...REVIEW, done]);
  const { port } = new URL(stage.model.baseUrl);
  const script = `#!/bin/bash\n(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo CONNECTED || echo nobody there\n`;
  stage.workshop.write('reach.sh', script);
  stage.workshop.git('add', '.');
  stage.workshop.git('update-index', '--chmod=+x', 'reach.sh');
  stage.workshop.git('commit', '-qm', 'A command');
  const supervisor = await stage.workshop.supervisor();
  const allowed = contract({ allowed_commands: [{ id: 'reach', argv: ['./reach.sh'] }] });
  expect(await supervisor.delegate(TASK, allowed)).toMatchObject({ state: 'review_required' });
  expect(heard(stage)).toContain('nobody there');
});

describe('what ends a turn early pauses the task with its reason', () => {
  test('a spent budget, and a resume grants as much again', async () => {
    const stage = await stageOf([...WORK, ...REVIEW, done], { budget: { requests: 2 } });
    const supervisor = await stage.workshop.supervisor();
    const first = await supervisor.delegate(TASK, contract());
    expect(first).toMatchObject({
      state: 'paused',
      phase: 'budget_spent',
      reason: expect.stringContaining('2 requests'),
    });
    const second = await supervisor.delegate(TASK, contract(), tokensOf(first));
    expect(second).toMatchObject({ state: 'paused', phase: 'budget_spent' });
    expect(await supervisor.delegate(TASK, contract(), tokensOf(second))).toMatchObject({ state: 'review_required' });
  });

  test('an endpoint that refuses', async () => {
    const stage = await stageOf([...WORK, { fault: { status: 401, message: `bad key ${KEY}` } }]);
    const supervisor = await stage.workshop.supervisor();
    const paused = await supervisor.delegate(TASK, contract());
    expect(paused).toMatchObject({
      state: 'paused',
      phase: 'model_failed',
      reason: expect.stringContaining('answered 401'),
    });
    expect(paused['reason']).toContain('Next: check the key in REMIT_API_KEY');
    expect(JSON.stringify(paused)).not.toContain(KEY);
  });

  test('a key that is not there fails the task before it begins', async () => {
    const stage = await stageOf([], { baseUrl: 'https://models.example.com/v1' });
    delete stage.workshop.environment['MY_KEY'];
    const supervisor = await stage.workshop.supervisor();
    await expect(supervisor.delegate(TASK, contract())).rejects.toMatchObject({
      code: 'worker_unavailable',
      message: expect.stringContaining('MY_KEY, which apiKeyEnv names, is not set'),
    });
  });
});

test('a host that is killed in mid-turn goes on with the same conversation and repeats nothing', async () => {
  const never = Promise.withResolvers<void>();
  onTestFinished(() => never.resolve());
  const stage = await stageOf([...WORK, { text: 'held', until: never.promise }, ...REVIEW, done]);
  const first: Supervisor = await stage.workshop.supervisor();
  await first.delegate(TASK, contract(), { wait_timeout_seconds: 0 });
  await expect.poll(() => stage.model.requests.length, { timeout: 20_000, interval: 50 }).toBe(3);
  first.kill();
  const second = await stage.workshop.supervisor();
  const paused = await second.delegate(TASK, contract(), { resume: false });
  expect(paused).toMatchObject({ state: 'paused', phase: 'host_restarted' });
  const shown = await second.delegate(TASK, contract(), tokensOf(paused));
  expect(shown).toMatchObject({ state: 'review_required', changed_files: [X] });
  expect(stage.model.requests[3]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  const writes = (await receiptsOf(stage.workshop)).filter(({ kind }) => kind === 'write');
  expect(writes).toHaveLength(1);
});
