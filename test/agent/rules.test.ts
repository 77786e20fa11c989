/** Each rule of the reports, the steps and the todos in the running worker: real files, real commands, a real repository. */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedToolCall } from '../model/script.ts';
import { type Bench, call, edit, openBench, read, report } from './loop-bench.ts';

const PATH = 'src/a.go';
const LINES = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');
const FILES = {
  [PATH]: LINES,
  'src/old.go': LINES,
  'src/A.go': LINES,
  'src/a.go.bak': LINES,
  'a.go': LINES,
  'ok.sh': '#!/bin/sh\necho ok\n',
  'bad.sh': '#!/bin/sh\necho bad\nexit 1\n',
};

/** Makes the calls one answer after the other, then ends. `$ROOT` in them is the repository's folder. */
async function work(calls: readonly ScriptedToolCall[]): Promise<Bench> {
  const inPlace = (made: ScriptedToolCall) => JSON.parse(JSON.stringify(made).replaceAll('$ROOT', bench.root));
  const turns = [...calls.map((made) => ({ toolCalls: () => [inPlace(made)] })), { text: 'Done.', times: 20 }];
  const bench = await openBench({ commands: true, files: FILES, turns });
  for (const script of ['ok.sh', 'bad.sh']) chmodSync(join(bench.root, script), 0o755);
  const git = (...args: string[]) => execFileSync('git', ['-C', bench.root, ...args], { stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.test', 'commit', '-qm', 'base');
  await bench.prompt();
  return bench;
}

const bash = (command: string) => call('bash', { command });
const reviewed = (...paths: string[]) => report({ reviewed_paths: paths });
/** Lines 3 to 5 become others. */
const change = [read(PATH), edit('line 3\nline 4\nline 5\n', 'three\nfour\nfive\n', PATH)];
const changeOne = [read(PATH), edit('line 3\n', 'three\n', PATH)];
const remove = [read(PATH), call('delete_file', { path: PATH })];
const move = [read(PATH), call('move_file', { from: PATH, to: 'src/b.go' })];
const lines = (from: number, to: number) => call('read_file', { path: PATH, from, to });

const ACCEPTED = 'The review report is accepted.';

interface Row {
  readonly what: string;
  readonly calls: readonly ScriptedToolCall[];
  readonly paths?: readonly string[];
}

const COUNTS: Row[] = [
  { what: 'a read of the file', calls: [...change, read(PATH)] },
  { what: 'a read of the changed lines', calls: [...change, lines(3, 5)] },
  { what: 'reads that cover them together', calls: [...change, lines(1, 4), lines(5, 6)] },
  { what: 'cat', calls: [...change, bash(`cat ${PATH}`)] },
  { what: 'cat of ./p', calls: [...change, bash(`cat ./${PATH}`)] },
  { what: 'head that covers them', calls: [...change, bash(`head -n 5 ${PATH}`)] },
  { what: 'tail that covers them', calls: [...change, bash(`tail -n 8 ${PATH}`)] },
  { what: 'diff', calls: [...change, bash(`diff src/old.go ${PATH}`)] },
  { what: 'diff -u', calls: [...change, bash(`diff -u src/old.go ${PATH}`)] },
  { what: 'cmp of the one line that differs', calls: [...changeOne, bash(`cmp src/old.go ${PATH}`)] },
  { what: 'git diff', calls: [...change, bash('git diff')] },
  { what: 'git diff HEAD', calls: [...change, bash('git diff HEAD')] },
  { what: 'git diff -- p', calls: [...change, bash(`git diff -- ${PATH}`)] },
  { what: 'git diff HEAD -- p', calls: [...change, bash(`git diff HEAD -- ${PATH}`)] },
  { what: 'cat of the absolute path', calls: [...change, bash(`cat $ROOT/${PATH}`)] },
  { what: 'a report that writes the absolute path', calls: [...change, read(PATH)], paths: [`$ROOT/${PATH}`] },
  { what: 'a report that writes ./p', calls: [...change, read(PATH)], paths: [`./${PATH}`] },
  { what: 'deletion: git diff HEAD -- p', calls: [...remove, bash(`git diff HEAD -- ${PATH}`)] },
  { what: 'deletion: git diff', calls: [...remove, bash('git diff')] },
  { what: 'deletion: git show HEAD:p', calls: [...remove, bash(`git show HEAD:${PATH}`)] },
  {
    what: 'rename: the old path’s deletion and a read of the new one',
    calls: [...move, bash(`git diff HEAD -- ${PATH}`), read('src/b.go')],
    paths: [PATH, 'src/b.go'],
  },
];

test.each(COUNTS)('a report counts after $what', async ({ calls, paths = [PATH] }) => {
  const bench = await work([...calls, reviewed(...paths)]);
  expect(bench.heard.answers('review_report')).toEqual([ACCEPTED]);
});

const UNREAD = `${PATH} was not read since its latest change`;
const DELETION = `The deletion of ${PATH} was not looked at`;

const DOES_NOT: (Row & { gap: string })[] = [
  { what: 'the write itself', calls: change, gap: UNREAD },
  { what: 'a read before the change', calls: [read(PATH), lines(1, 10), ...change.slice(1)], gap: UNREAD },
  { what: 'a read that leaves a changed line out', calls: [...change, lines(1, 4)], gap: '(line 5)' },
  { what: 'head that ends too early', calls: [...change, bash(`head -n 4 ${PATH}`)], gap: '(line 5)' },
  { what: 'tail that begins too late', calls: [...change, bash(`tail -n 7 ${PATH}`)], gap: '(line 3)' },
  { what: 'cmp, of more than the first line', calls: [...change, bash(`cmp src/old.go ${PATH}`)], gap: '(lines 4-5)' },
  { what: 'a pipeline', calls: [...change, bash(`cat ${PATH} | head`)], gap: UNREAD },
  { what: 'a redirection', calls: [...change, bash(`cat ${PATH} > copy`)], gap: UNREAD },
  { what: 'git diff --stat', calls: [...change, bash('git diff --stat')], gap: UNREAD },
  { what: 'git diff --name-only', calls: [...change, bash('git diff --name-only')], gap: UNREAD },
  { what: 'git diff --quiet', calls: [...change, bash('git diff --quiet')], gap: UNREAD },
  { what: 'a command without output', calls: [...change, bash('git diff -- src/old.go')], gap: UNREAD },
  { what: 'a command that failed', calls: [...change, bash(`cat ${PATH} missing`)], gap: UNREAD },
  { what: 'git show HEAD:p of a changed file', calls: [...change, bash(`git show HEAD:${PATH}`)], gap: UNREAD },
  { what: 'a read of the bare name', calls: [...change, read('a.go')], gap: UNREAD },
  { what: 'a read of p.bak', calls: [...change, read('src/a.go.bak')], gap: UNREAD },
  { what: 'a read of another letter case', calls: [...change, read('src/A.go')], gap: UNREAD },
  { what: 'a read of p, when it names the bare name', calls: [...change, read(PATH)], paths: ['a.go'], gap: PATH },
  { what: 'a read of p, when it names p.bak', calls: [...change, read(PATH)], paths: ['src/a.go.bak'], gap: PATH },
  { what: 'a read of p, when it names another case', calls: [...change, read(PATH)], paths: ['src/A.go'], gap: PATH },
  {
    what: 'a read of p, when it names an absolute path elsewhere',
    calls: [...change, read(PATH)],
    paths: [`/nowhere/${PATH}`],
    gap: 'is no file of the repository',
  },
  { what: 'deletion: the deletion itself', calls: remove, gap: DELETION },
  { what: 'deletion: git diff --stat', calls: [...remove, bash('git diff --stat')], gap: DELETION },
  { what: 'deletion: git diff before it', calls: [...change, bash('git diff'), ...remove.slice(1)], gap: DELETION },
  {
    what: 'rename: a read of the new path alone',
    calls: [...move, read('src/b.go')],
    paths: [PATH, 'src/b.go'],
    gap: DELETION,
  },
  {
    what: 'rename: the old path’s deletion alone',
    calls: [...move, bash(`git diff HEAD -- ${PATH}`)],
    paths: [PATH, 'src/b.go'],
    gap: 'src/b.go was not read',
  },
  {
    what: 'a new file: git diff, which says nothing of it',
    calls: [call('write_file', { path: 'src/new.go', content: 'new\n' }), bash('git diff HEAD')],
    paths: ['src/new.go'],
    gap: 'src/new.go was not read',
  },
];

test.each(DOES_NOT)('a report does not count after $what', async ({ calls, paths = [PATH], gap }) => {
  const bench = await work([...calls, reviewed(...paths)]);
  const [answer] = bench.heard.answers('review_report');
  expect(answer).toContain('The report is not accepted.');
  expect(answer).toContain(gap);
});

const step = (evidence: Record<string, unknown>) =>
  call('complete_step', { step: 'mend it', result: 'mended', evidence: [{ summary: 'seen', ...evidence }] });

test.each([
  ['verification that passed since', [...change, bash('./ok.sh'), step({ kind: 'verification', command: './ok.sh' })]],
  ['a diff of what was written', [...change, step({ kind: 'diff', paths: [PATH] })]],
  ['files that were read', [read('src/old.go'), step({ kind: 'files', paths: ['src/old.go'] })]],
  ['files that were written', [...change, step({ kind: 'files', paths: [PATH] })]],
  ['the worker’s word', [step({ kind: 'manual' })]],
])('a step is signed off by %s', async (_what, calls) => {
  const bench = await work(calls);
  expect(bench.heard.answers('complete_step')).toEqual([expect.stringMatching(/^Step .*(?:signed off|done)/)]);
});

test.each([
  ['verification that never ran', [...change, step({ kind: 'verification', command: './ok.sh' })], 'has not run since'],
  [
    'verification before the latest write',
    [bash('./ok.sh'), ...change, step({ kind: 'verification', command: './ok.sh' })],
    'has not run since',
  ],
  [
    'verification that failed',
    [...change, bash('./bad.sh'), step({ kind: 'verification', command: './bad.sh' })],
    'did not pass',
  ],
  [
    'a diff of what was not written',
    [read('src/old.go'), step({ kind: 'diff', paths: ['src/old.go'] })],
    'not written',
  ],
  ['files that nobody touched', [step({ kind: 'files', paths: ['src/old.go'] })], 'neither read nor written'],
  ['paths that it does not name', [step({ kind: 'files' })], 'names its paths'],
  ['no evidence', [call('complete_step', { step: 'mend it', result: 'mended', evidence: [] })], 'evidence'],
])('a step is not signed off by %s', async (_what, calls, told) => {
  const bench = await work(calls);
  const [answer] = bench.heard.ended.filter(({ call: made }) => made.name === 'complete_step');
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(told) });
});

const todo = (status: string) => call('todo_write', { items: [{ id: 't1', text: 'mend it', status }] });
const signed = (name: string) =>
  call('complete_step', { step: name, result: 'ok', evidence: [{ kind: 'diff', summary: 'seen', paths: [PATH] }] });
const review = [read(PATH), reviewed(PATH)];

test.each([
  ['its text', [todo('open'), ...change, signed('mend it'), ...review], 'done'],
  ['its number', [todo('open'), ...change, signed('1'), ...review], 'done'],
  ['a cancel', [todo('open'), ...change, todo('cancelled'), ...review], 'done'],
  ['nothing', [todo('open'), ...change, ...review], 'readiness_paused'],
  [
    'a list that leaves it out',
    [
      todo('open'),
      ...change,
      call('todo_write', { items: [{ id: 't2', text: 'else', status: 'cancelled' }] }),
      ...review,
    ],
    'readiness_paused',
  ],
  ['a mark that it sets itself', [todo('open'), ...change, todo('done'), ...review], 'readiness_paused'],
  ['a step of another name', [todo('open'), ...change, signed('something else'), ...review], 'readiness_paused'],
])('a todo that is closed by %s ends the turn so', async (_what, calls, phase) => {
  const bench = await work(calls);
  const end = await bench.prompt('End now.');
  expect(end.facts?.phase).toBe(phase);
});
