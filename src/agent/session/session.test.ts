import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallPart, Message } from '../models/model.ts';
import { localFiles } from '../place/local-files.ts';
import type { Place } from '../place/place.ts';
import { compact, conversationBytes } from './compaction.ts';
import { recoverCalls } from './recover-calls.ts';
import type { SessionEntry } from './session-log.ts';
import { SessionStore } from './session-store.ts';

const DIGEST = 'a'.repeat(64);

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'remit-session-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const storeIn = (home: string) => new SessionStore({ HOME: home });
const fileOf = (home: string, id: string) => join(home, '.local/state/remit-worker/sessions', `${id}.jsonl`);

const call = (id: string, name = 'write_file', input = '{"path":"a.txt"}'): CallPart => ({
  kind: 'call',
  id,
  name,
  input,
});
const answered = (id: string, text = 'done') => ({ id, name: 'write_file', text, isError: false });

const ENTRIES: readonly SessionEntry[] = [
  { kind: 'message', message: { role: 'user', text: 'Mend a.txt \ud800\nplease' } },
  {
    kind: 'message',
    message: { role: 'assistant', parts: [{ kind: 'text', text: 'I read.' }, call('one'), call('two')] },
  },
  { kind: 'intent', id: 'one', tool: 'write_file', input: '{"path":"a.txt"}', before: { 'a.txt': null } },
  {
    kind: 'result',
    answer: answered('one'),
    observations: [{ kind: 'read', path: 'a.txt', ranges: [{ from: 1, to: 2 }], total_lines: 2, sha256: DIGEST }],
  },
  { kind: 'result', answer: answered('two', 'second'), observations: [] },
  { kind: 'usage', usage: { requests: 1, input: 10, cachedInput: 5, output: 2, reasoning: 0 } },
  { kind: 'turn_end', facts: { phase: 'done' } },
];

async function written(home: string, entries = ENTRIES): Promise<string> {
  const session = await storeIn(home).create('/repo');
  for (const entry of entries) await session.append(entry);
  await session.close();
  return session.facts.id;
}

test('a session is read again as it was written, for its user alone', async () => {
  const home = folder();
  const id = await written(home);
  const session = await storeIn(home).open(id);
  onTestFinished(() => session.close());
  expect(session.facts).toMatchObject({ id, cwd: '/repo' });
  const state = await session.read();
  expect(state.messages).toEqual([
    { role: 'user', text: 'Mend a.txt \ud800\nplease' },
    { role: 'assistant', parts: [{ kind: 'text', text: 'I read.' }, call('one'), call('two')] },
    { role: 'tool', results: [answered('one'), answered('two', 'second')] },
  ]);
  expect(state).toMatchObject({ usage: { requests: 1, input: 10 }, unfinished: [] });
  expect(state.ledger).toHaveLength(1);
  expect(statSync(fileOf(home, id)).mode & 0o777).toBe(0o600);
});

test('cut at any byte, it opens with what was whole, and goes on from there', async () => {
  const home = folder();
  const id = await written(home);
  const path = fileOf(home, id);
  const whole = readFileSync(path);
  const header = whole.indexOf(0x0a) + 1;
  for (let length = header; length <= whole.length; length += 7) {
    writeFileSync(path, whole.subarray(0, length));
    const session = await storeIn(home).open(id);
    await session.append({ kind: 'message', message: { role: 'user', text: 'after the cut' } });
    const { messages } = await session.read();
    await session.close();
    expect(messages.at(-1)).toEqual({ role: 'user', text: 'after the cut' });
    const lines = whole.subarray(0, length).toString().split('\n').length - 2;
    expect(readFileSync(path, 'utf8').split('\n').length - 2).toBe(lines + 1);
  }
});

test.each([
  ['a line in the middle that is no JSON', '{"kind":\n'],
  ['an entry of a later version', '{"kind":"hologram"}\n'],
])('%s refuses the session and leaves its file alone', async (_, line) => {
  const home = folder();
  const id = await written(home);
  const path = fileOf(home, id);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [lines[0], line.trim(), ...lines.slice(1)].join('\n'));
  const before = readFileSync(path);
  await expect(storeIn(home).open(id)).rejects.toThrow(/Line 2 of this session/);
  expect(readFileSync(path)).toEqual(before);
});

test.each(['../../etc/passwd', '', 'x', `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`])(
  'there is no session named %j',
  async (id) => {
    await expect(storeIn(folder()).open(id)).rejects.toThrow('There is no such session.');
  },
);

test('a session belongs to one process at a time, and to the next when that one was killed', async () => {
  const home = folder();
  const id = await written(home);
  const program = `
    import { SessionStore } from ${JSON.stringify(join(import.meta.dirname, 'session-store.ts'))};
    const session = await new SessionStore({ HOME: ${JSON.stringify(home)} }).open(${JSON.stringify(id)});
    await session.append({ kind: 'message', message: { role: 'assistant', parts: [{ kind: 'call', id: 'x', name: 'bash', input: '{}' }] } });
    await session.append({ kind: 'intent', id: 'x', tool: 'bash', input: '{}' });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await expect(storeIn(home).open(id)).rejects.toThrow('open elsewhere');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const session = await storeIn(home).open(id);
  onTestFinished(() => session.close());
  expect((await session.read()).unfinished).toMatchObject([{ call: { id: 'x' }, intent: { tool: 'bash' } }]);
});

test('sessions are listed by their folder, with what was asked first', async () => {
  const home = folder();
  const id = await written(home);
  expect(await storeIn(home).list('/repo')).toMatchObject([
    { id, cwd: '/repo', title: expect.stringMatching(/^Mend a\.txt/) },
  ]);
  expect(await storeIn(home).list('/elsewhere')).toEqual([]);
  expect(await storeIn(folder()).list(undefined)).toEqual([]);
});

describe('a call that was cut off', () => {
  function placeIn(root: string): Place {
    return { root, files: localFiles(root), commands: { kind: 'withheld', reason: 'not here' } };
  }

  async function interrupted(entries: readonly SessionEntry[], arrange: (root: string) => void) {
    const home = folder();
    const root = join(home, 'repo');
    mkdirSync(root);
    arrange(root);
    const session = await storeIn(home).open(await written(home, entries));
    onTestFinished(() => session.close());
    await recoverCalls(await session.read(), placeIn(root), session);
    return session.read();
  }

  const begun = ENTRIES.slice(0, 3);

  test('is answered and never run again, and the others are told that they did not run', async () => {
    const state = await interrupted(begun, () => {});
    expect(state.unfinished).toEqual([]);
    const last = state.messages.at(-1);
    if (last?.role !== 'tool') throw new Error('the calls were not answered');
    expect(last.results.map(({ id, isError }) => [id, isError])).toEqual([
      ['one', true],
      ['two', true],
    ]);
    expect(last.results[0]?.text).toContain('may have had its effect');
    expect(last.results[1]?.text).toContain('was not run');
    expect(state.ledger).toEqual([]);
  });

  test('has its effect in the ledger when the disk shows one', async () => {
    const state = await interrupted(begun, (root) => writeFileSync(join(root, 'a.txt'), 'new\n'));
    expect(state.ledger).toMatchObject([{ kind: 'write', path: 'a.txt', change: 'created' }]);
  });

  test('has a deletion in the ledger of a file that was never read', async () => {
    const intent = { kind: 'intent', id: 'one', tool: 'delete_file', input: '{"path":"b.txt"}' } as const;
    const entries = [...ENTRIES.slice(0, 2), { ...intent, before: { 'b.txt': 'f'.repeat(64) } }];
    expect((await interrupted(entries, () => {})).ledger).toMatchObject([{ path: 'b.txt', change: 'deleted' }]);
    expect(
      (await interrupted([...ENTRIES.slice(0, 2), { ...intent, before: { 'b.txt': null } }], () => {})).ledger,
    ).toEqual([]);
  });

  test('makes a file count as changed that is no longer what was seen', async () => {
    const entries = [
      ...ENTRIES.slice(0, 4),
      { kind: 'intent', id: 'two', tool: 'bash', input: '{"command":"x"}' } as const,
    ];
    const state = await interrupted(entries, () => {});
    expect(state.ledger.at(-1)).toMatchObject({ kind: 'write', path: 'a.txt', change: 'deleted' });
  });
});

describe('making room', () => {
  const message = fc.oneof(
    fc.record(
      {
        role: fc.constant('user' as const),
        text: fc.string({ maxLength: 60 }),
        asked: fc.constant(true as const),
      },
      { requiredKeys: ['role', 'text'] },
    ),
    fc.nat({ max: 3 }).map((count) => ({ calls: count })),
  );
  const isAsked = (said: Message) => said.role === 'user' && said.asked === true;
  /** A conversation as it really grows: every answer with calls is followed by their answers. */
  const conversation = fc.array(message, { maxLength: 20 }).map((items): Message[] => [
    { role: 'user', text: 'the task' },
    ...items.flatMap((item, at): Message[] => {
      if ('role' in item) return [item];
      const calls = Array.from({ length: item.calls }, (_, index) => call(`${at}.${index}`));
      const said: Message = { role: 'assistant', parts: [{ kind: 'text', text: `step ${at}` }, ...calls] };
      const results = calls.map(({ id }) => answered(id, 'x'.repeat(40)));
      return calls.length === 0 ? [said] : [said, { role: 'tool', results }];
    }),
  ]);

  test('keeps the answers to the last calls, cut from the middle where they alone are too much', async () => {
    const calls = [call('one'), call('two')];
    const results = [answered('one', `begin${'x'.repeat(90_000)}end`), answered('two', 'short')];
    const messages: Message[] = [
      { role: 'user', text: 'the task' },
      { role: 'assistant', parts: [{ kind: 'text', text: 'look' }] },
      { role: 'user', text: 'go on' },
      { role: 'assistant', parts: calls },
      { role: 'tool', results },
    ];
    const shorter = await compact(messages, { keepBytes: 20_000, summarise: async () => 'a summary' });
    const last = shorter.at(-1);
    if (last?.role !== 'tool') throw new Error('the answers are gone');
    expect(shorter.at(-2)).toEqual(messages[3]);
    expect(last.results[0]?.text).toMatch(/^beginx+\n\[…\]\nx+end$/);
    expect(last.results[1]?.text).toBe('short');
    expect(conversationBytes(shorter)).toBeLessThan(21_000);
    const again = [messages[0], ...messages.slice(3)] as Message[];
    expect(conversationBytes(await compact(again, { keepBytes: 20_000, summarise: async () => 'x' }))).toBeLessThan(
      21_000,
    );
  });

  test('keeps the task and the newest, never parts a call from its answers, and says what was taken out', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat({ max: 2000 }), async (messages, keepBytes) => {
        const shorter = await compact(messages, { keepBytes, summarise: async () => 'a summary' });
        expect(shorter[0]).toEqual(messages[0]);
        const summary = shorter.findIndex((said) => said.role === 'user' && said.text.includes('a summary'));
        expect(summary < 0).toBe(shorter === messages);
        const kept = shorter.slice(summary + 1);
        expect(messages.slice(messages.length - kept.length)).toEqual(kept);
        expect(kept.length).toBeGreaterThan(0);
        const between = shorter === messages ? [] : shorter.slice(1, summary);
        const asked = messages.slice(1, messages.length - kept.length).filter(isAsked);
        expect(between).toEqual(between.length === 0 ? [] : asked.slice(-between.length));
        if (conversationBytes(asked) <= keepBytes && shorter !== messages) expect(between).toEqual(asked);
        for (const [at, said] of shorter.entries()) {
          if (said.role !== 'tool') continue;
          const before = shorter[at - 1];
          const calls =
            before?.role === 'assistant' ? before.parts.flatMap((part) => (part.kind === 'call' ? [part.id] : [])) : [];
          expect(said.results.map(({ id }) => id)).toEqual(calls);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('gets shorter, and does without a model when that cannot answer', async () => {
    const messages: Message[] = [{ role: 'user', text: 'the task' }];
    for (let at = 0; at < 40; at += 1) {
      messages.push({ role: 'assistant', parts: [call(`${at}`, 'read_file', `{"path":"file-${at}"}`)] });
      messages.push({ role: 'tool', results: [answered(`${at}`, 'y'.repeat(2000))] });
    }
    const shorter = await compact(messages, { keepBytes: 10_000, summarise: async () => undefined });
    expect(conversationBytes(shorter)).toBeLessThan(20_000);
    expect(shorter[1]).toMatchObject({ text: expect.stringContaining('Called read_file {"path":"file-0"}') });
    expect(await compact(shorter, { keepBytes: 50_000, summarise: async () => 'again' })).toBe(shorter);
  });
});
