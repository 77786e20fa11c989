/** What a worker asks of the host over a real connection; the effects are real files and programs of this test. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentBench, openAgentBench } from '../../../test/agents/agent-bench.ts';
import type { Step } from '../../../test/agents/script.ts';
import { performSteps, type Trial } from '../../../test/agents/scripted-worker.ts';
import { runProcess } from '../../process/index.ts';
import type { HostServices } from '../options.ts';

const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex');
const ask = (method: string, params: Record<string, unknown> = {}): Step => ({ do: 'request', method, params });
const at = (path: string) => ({ path: `$WORKTREE/${path}` });

/** Does what it is told, and keeps in which order. */
function servicesIn(root: string): HostServices & { readonly done: string[] } {
  const done: string[] = [];
  const path = (name: string) => join(root, name);
  return {
    done,
    async readFile(name, lines) {
      done.push(`read ${name} ${lines?.from ?? 1}+${lines?.count ?? 'all'}`);
      if (!existsSync(path(name))) return { kind: 'absent' };
      const text = readFileSync(path(name), 'utf8');
      return { kind: 'file', text, sha256: sha256(text), totalLines: text.split('\n').length - 1, mode: 0o644 };
    },
    async writeFile(name, content) {
      done.push(`write ${name}`);
      writeFileSync(path(name), content);
      return { outcome: 'done' };
    },
    async moveFile(from, to) {
      done.push(`move ${from} ${to}`);
      return { outcome: 'unexpected' };
    },
    async removeFile(name) {
      done.push(`remove ${name}`);
      rmSync(path(name));
      return { outcome: 'done' };
    },
    async runCommand(argv, cwd, { timeoutMs, signal }) {
      done.push(`run ${argv.join(' ')} in ${cwd || '.'}`);
      const env = { PATH: process.env['PATH'] ?? '' };
      const { outcome, stdout } = await runProcess({
        argv,
        cwd: path(cwd),
        env,
        timeoutMs,
        signal,
        maxOutputBytes: 1000,
      });
      done.push(`ended ${outcome.kind}`);
      const output = { text: stdout.bytes.toString(), total_bytes: stdout.totalBytes, truncated: stdout.truncated };
      const exit_code = outcome.kind === 'exited' ? outcome.exitCode : null;
      return { exit_code, stdout: output, stderr: { text: '', total_bytes: 0, truncated: false }, touched: [] };
    },
    async claim(claim) {
      done.push(`claim ${claim.kind}`);
      return { kind: 'refused', gaps: [{ code: 'path_unread', message: 'Read it.' }] };
    },
    async gate() {
      done.push('gate');
      return { kind: 'no_change' };
    },
  };
}

interface Played {
  /** What each request was answered, in order. */
  readonly answers: {
    method: string;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  }[];
  readonly done: readonly string[];
  readonly decisions: string[];
  readonly outcome: { kind: string };
}

async function play(
  steps: Step[],
  trial: Trial = {},
  arrange: (bench: AgentBench) => void = () => {},
): Promise<Played> {
  using bench = openAgentBench();
  mkdirSync(join(bench.worktree, 'src'), { recursive: true });
  writeFileSync(join(bench.worktree, 'src/x.ts'), 'one\ntwo\n');
  writeFileSync(join(bench.worktree, 'a.txt'), 'alpha\n');
  arrange(bench);
  const services = servicesIn(bench.worktree);
  await using played = await performSteps(steps, {}, { bench, adapter: 'builtin', services, ...trial });
  const { outcome, worker } = played;
  const said = worker.events
    .filter((event) => event.type === 'message')
    .map(({ text }) => text)
    .join('');
  const answers = [...said.matchAll(/^(\S+) (\{.*\})$/gm)].map(([, method = '', json = '']) => ({
    method,
    ...jsonOf(json),
  }));
  const decisions = worker.events.flatMap((event) =>
    event.type === 'decision' ? [`${event.decision} ${event.action}: ${event.clause}`] : [],
  );
  return { answers, done: services.done, decisions, outcome };
}

/** The last one of a worker that was ended may be cut. */
function jsonOf(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const write = (path: string, content = 'x\n', meta = {}) =>
  ask('fs/write_text_file', { ...at(path), content, _meta: { remit: meta } });
const run = (command: string, ...args: string[]) => ask('terminal/create', { command, args });
const terminal = (verb: string) => ask(`terminal/${verb}`, { terminalId: '$TERMINAL' });

test('reads and changes are done once policy allows them, each told apart in the answer', async () => {
  const { answers, done, decisions } = await play([
    ask('fs/read_text_file', { ...at('src/x.ts'), line: 2, limit: 1 }),
    ask('fs/read_text_file', at('src/absent.ts')),
    write('src/x.ts', 'three\n', { expected: { sha256: sha256('one\ntwo\n') } }),
    ask('_remit/fs/move', { from: '$WORKTREE/src/x.ts', to: '$WORKTREE/src/y.ts', expected: 'absent' }),
    ask('_remit/fs/remove', at('src/x.ts')),
    ask('_remit/claim', { claim: { kind: 'todos', items: [] } }),
    ask('_remit/gate'),
  ]);
  expect(answers.map(({ result, error }) => result ?? error?.code)).toEqual([
    { content: 'one\ntwo\n', _meta: { remit: { sha256: sha256('one\ntwo\n'), total_lines: 2, mode: 0o644 } } },
    -32_002,
    { _meta: { remit: { outcome: 'done' } } },
    { outcome: 'unexpected' },
    { outcome: 'done' },
    { kind: 'refused', gaps: [{ code: 'path_unread', message: 'Read it.' }] },
    { kind: 'no_change' },
  ]);
  expect(done).toEqual([
    'read src/x.ts 2+1',
    'read src/absent.ts 1+all',
    'write src/x.ts',
    'move src/x.ts src/y.ts',
    'remove src/x.ts',
    'claim todos',
    'gate',
  ]);
  expect(decisions.map((decision) => decision.split(':')[0])).toEqual([
    'allow edit src/x.ts',
    'allow move src/x.ts, src/y.ts',
    'allow delete src/x.ts',
  ]);
});

describe('what policy does not allow', () => {
  test('is answered with clause and hint, and does not happen', async () => {
    const { answers, done } = await play([
      write('a.txt'),
      write('.git/hooks/post-commit'),
      ask('fs/write_text_file', { path: '/tmp/outside.txt', content: 'x' }),
      ask('fs/read_text_file', { path: '/etc/passwd' }),
      ask('fs/read_text_file', { path: '$WORKTREE/../secret' }),
      run('git', 'push'),
    ]);
    expect(done).toEqual([]);
    expect(answers.map(({ error }) => error?.code)).toEqual(Array.from({ length: 6 }, () => -32_010));
    expect(answers[0]?.error).toMatchObject({
      message: expect.stringContaining('a.txt'),
      data: { clause: expect.any(String), hint: expect.any(String) },
    });
  });

  test('ends the turn when it is asked for three times', async () => {
    const { outcome, done } = await play([write('a.txt'), write('a.txt'), write('a.txt'), write('src/late.ts')]);
    expect(outcome.kind).toBe('denied_repeatedly');
    expect(done).toEqual([]);
  });

  test.each([
    ['yes', { kind: 'allow' }, ['write src/y.ts']],
    ['no', { kind: 'deny' }, []],
    ['nothing', { kind: 'cancelled' }, []],
  ] as const)('happens when policy leaves it to the supervisor and the answer is %s', async (_, answer, expected) => {
    const { done } = await play([write('src/y.ts')], {
      decide: () => ({ kind: 'ask', clause: 'somebody must say' }),
      answer: () => answer,
    });
    expect(done).toEqual(expected);
  });
});

test('a link is deleted itself, never what it leads to', async () => {
  const { answers, done } = await play(
    [ask('_remit/fs/remove', at('src/alias.ts')), ask('_remit/fs/remove', at('src/link/y.ts'))],
    {},
    (bench) => {
      mkdirSync(join(bench.worktree, 'src/real'));
      symlinkSync('real', join(bench.worktree, 'src/link'));
      symlinkSync('x.ts', join(bench.worktree, 'src/alias.ts'));
    },
  );
  expect(done).toEqual(['remove src/alias.ts']);
  expect(answers.map(({ result, error }) => result?.['outcome'] ?? error?.message)).toEqual([
    'done',
    'leads through a link',
  ]);
});

test('a path that leads through a link is nobody’s to change', async () => {
  const { answers, done } = await play(
    [write('src/link/y.ts'), ask('fs/read_text_file', at('src/alias.ts'))],
    {},
    (bench) => {
      mkdirSync(join(bench.worktree, 'src/real'));
      symlinkSync('real', join(bench.worktree, 'src/link'));
      symlinkSync('x.ts', join(bench.worktree, 'src/alias.ts'));
    },
  );
  expect(done).toEqual([]);
  expect(answers.map(({ error }) => error?.message)).toEqual(['leads through a link', 'leads through a link']);
});

describe('a command', () => {
  const PERMIT: Trial = { decide: () => ({ kind: 'allow', clause: 'for this test' }) };

  test('runs by its words, without a shell, and is told whole', async () => {
    const { answers, done } = await play(
      [run('echo', '$HOME; id'), terminal('wait_for_exit'), terminal('output'), terminal('release')],
      PERMIT,
    );
    expect(done).toEqual(['run echo $HOME; id in .', 'ended exited']);
    expect(answers[1]?.result).toEqual({ exitCode: 0, signal: null });
    expect(answers[2]?.result).toMatchObject({ output: '$HOME; id\n', _meta: { remit: { exit_code: 0 } } });
  });

  test('is ended by a kill, and by the end of its turn', async () => {
    const killed = await play([run('sleep', '30'), terminal('kill'), terminal('wait_for_exit')], PERMIT);
    expect(killed.done).toEqual(['run sleep 30 in .', 'ended aborted']);
    expect(killed.answers[2]?.result).toEqual({ exitCode: null, signal: null });
    const left = await play([run('sleep', '30')], PERMIT);
    expect(left.outcome.kind).toBe('ended');
    expect(left.done).toEqual(['run sleep 30 in .', 'ended aborted']);
  });

  test('that still runs when its turn ends has ended before anybody looks at the work, and what waited behind it never happens', async () => {
    const { done } = await play([run('sleep', '30'), { do: 'requests', count: 3, method: '_remit/gate' }], PERMIT);
    expect(done).toEqual(['run sleep 30 in .', 'ended aborted']);
  });

  test('of another turn, or of none, cannot be asked about', async () => {
    const { answers } = await play(
      [ask('terminal/output', { terminalId: 'c0ffee' }), run('true'), terminal('release'), terminal('output')],
      PERMIT,
    );
    expect(answers.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('no such terminal'),
      undefined,
      undefined,
      expect.stringContaining('no such terminal'),
    ]);
  });

  test('gets no variables from the worker, and no more than eight run at once', async () => {
    const withVariables = ask('terminal/create', { command: 'env', env: [{ name: 'LD_PRELOAD', value: '/x' }] });
    const many = Array.from({ length: 10 }, () => run('sleep', '30'));
    const { answers, done } = await play([withVariables, ...many], PERMIT);
    expect(answers[0]?.error?.message).toContain('variables are the host’s');
    expect(answers.slice(1).filter(({ error }) => error !== undefined)).toHaveLength(2);
    expect(done.filter((line) => line.startsWith('run'))).toHaveLength(1);
  });
});

test.each([
  ['fs/read_text_file', { path: 7 }],
  ['fs/write_text_file', { path: '$WORKTREE/src/y.ts' }],
  ['fs/write_text_file', { path: '$WORKTREE/src/y.ts', content: 'x', _meta: { remit: { mode: -1 } } }],
  ['terminal/create', { command: '' }],
  ['_remit/fs/move', { from: '$WORKTREE/src/x.ts' }],
  ['_remit/claim', { claim: { kind: 'report', report: {} } }],
  ['_remit/claim', { claim: { kind: 'read', path: 'src/x.ts' } }],
  ['_remit/gate', { sessionId: 'another' }],
])('%s with %j is refused in a sentence', async (method, params) => {
  const { answers, done } = await play([ask(method, params)]);
  expect(answers[0]?.error?.message).toEqual(expect.any(String));
  expect(done).toEqual([]);
});

test('a family that works for itself is offered none of it', async () => {
  const { answers, done } = await play([write('src/y.ts'), run('true'), ask('_remit/gate')], { adapter: 'acp' });
  expect(answers.map(({ error }) => error?.code)).toEqual([-32_601, -32_601, -32_601]);
  expect(done).toEqual([]);
});
