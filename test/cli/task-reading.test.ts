/** What a person at a shell reads of tasks: list, show, watch, diff. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { taskDetailSchema, taskEvidenceSchema, taskListingSchema, taskNewsSchema } from '../../src/app/index.ts';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, type Workshop } from '../journeys/workshop.ts';
import { remit, remitJson, startRemit } from './shell.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n', ask: true };
const FOREVER: Step = { do: 'sleep', ms: 300_000 };
const TIMEOUT = { timeout: 240_000 };

/** The command on a terminal of its own, 60 columns wide and 10 lines high; answers what that showed. */
function onTerminal({ repository, environment }: Workshop, words: string, more: Record<string, string> = {}): string {
  const line = `stty cols 60 rows 10; exec "${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" ${words}`;
  const env = { ...environment, TERM: 'xterm-256color', SHELL: '/bin/sh', ...more };
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { cwd: repository, env, encoding: 'utf8' });
  return stdout.replaceAll('\r\n', '\n');
}

describe('a task at review', () => {
  test('is listed, shown, followed and read, exactly as JSON and harmless as text', TIMEOUT, async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { do: 'say', text: 'All done\u001b[2J\rgreet  completed' },
              EDIT,
              { do: 'run', argv: ['rm', '-rf', '/'], ask: true },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const objective = `Greet\u001b[31m the user ${'日本語'.repeat(30)}`;
    await supervisor.delegate('greet', contract({ objective }));
    await supervisor.delegate('greet-again', contract({ write_scope: ['lib/**'] }));

    const listing = taskListingSchema.parse(await remitJson(workshop, ['task', 'list', '--repo', 'src']));
    expect(listing.tasks.map(({ task_id, state }) => [task_id, state])).toEqual([
      ['greet-again', 'paused'],
      ['greet', 'review_required'],
    ]);
    const detail = taskDetailSchema.parse(await remitJson(workshop, ['task', 'show', 'greet']));
    expect(detail).toMatchObject({ contract: { objective }, review: { changed_files: ['src/x.ts'] } });
    const evidence = taskEvidenceSchema.parse(await remitJson(workshop, ['task', 'show', 'greet', '--evidence']));
    expect(evidence).toMatchObject({ ledger_intact: true, receipts: [{ success: true }, { success: false }] });

    const watched = await remit(workshop, ['task', 'watch', 'greet', '--json']);
    expect(watched.code).toBe(3);
    const news = watched.out
      .trimEnd()
      .split('\n')
      .map((line) => taskNewsSchema.parse(JSON.parse(line)));
    expect(news.at(-1)).toMatchObject({ type: 'status', status: { state: 'review_required' } });
    expect(news.filter(({ type }) => type === 'event').length).toBeGreaterThan(3);

    const told = await remit(workshop, ['task', 'watch', 'greet']);
    expect(told).toMatchObject({ code: 3, err: '' });
    expect(told.out).toContain('denied: execute rm -rf / (policy, hard denial: destructive file programs (rm))');
    expect(told.out).toContain('  │ All done\\x1B[2J\\rgreet  completed');
    const shown = await remit(workshop, ['task', 'show', 'greet']);
    for (const { out } of [told, shown]) {
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(out.split('\n').filter((line) => line.startsWith('greet  '))).toEqual(['greet  review_required']);
    }

    const diff = await remit(workshop, ['task', 'diff', 'greet']);
    expect(diff.out).toMatch(
      /^diff --git a\/src\/x\.ts b\/src\/x\.ts\n[^\u001b]*\n-export const x = 1;\n\+export const x = 2;\n$/,
    );
    expect((await remit(workshop, ['task', 'diff', 'greet', '--stat'])).out).toContain('src/x.ts | 2 +-');

    // On a terminal: as wide as that is, in colour, and a long diff in the pager.
    const table = onTerminal(workshop, 'task list').trimEnd().split('\n');
    expect(table.map((line) => stripVTControlCharacters(line).slice(0, 14))).toEqual([
      '  TASK        ',
      '! greet-again ',
      '! greet       ',
    ]);
    expect(table.join('')).toContain('\u001b[33m');
    const wide = (line: string) =>
      [...stripVTControlCharacters(line)].reduce((sum, each) => sum + (each > '\u2e80' ? 2 : 1), 0);
    expect(table.filter((line) => wide(line) > 60)).toEqual([]);
    expect(onTerminal(workshop, 'task diff greet', { PAGER: 'cat' })).toContain('\u001b[32m+export const x = 2;');
    expect(onTerminal(workshop, 'task list', { NO_COLOR: '1' })).not.toContain('\u001b[');
  });

  test('is refused by a wrong name with the right one', TIMEOUT, async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    expect(await remit(workshop, ['task', 'list'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('No task is open. To begin one:'),
    });
    expect((await remit(workshop, ['task', 'show', 'x'])).err).toContain('there is none at all');
    const supervisor = await workshop.supervisor();
    await supervisor.delegate('greet-one', contract());
    await supervisor.delegate('greet-two', contract({ write_scope: ['lib/**'] }));
    const cases = [
      [['show', 'greet'], 'remit: Several tasks begin with "greet": greet-one, greet-two. Write more of its id.\n'],
      [['cancel', 'greet-tow'], 'remit: There is no task "greet-tow": did you mean greet-two?\n'],
      [['diff', 'greet-t'], 'remit: Task greet-two is paused: there is no candidate to show.\n'],
      [['list', '--repo', workshop.home], 'remit: '],
    ] as const;
    for (const [words, message] of cases) {
      const { code, out, err } = await remit(workshop, ['task', ...words]);
      expect([code, out]).toEqual([2, '']);
      expect(err.startsWith(message), err).toBe(true);
    }
    const { err } = await remit(workshop, ['task', 'show', 'greet', '--json']);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'invalid_request',
      details: { candidates: ['greet-one', 'greet-two'] },
    });
    expect((await remit(workshop, ['task', 'list', '--state-dir', '/dev/null/x'])).code).toBe(2);
  });
});

test('a long diff opens in the pager of the person’s choice', TIMEOUT, async () => {
  const content = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [{ ...EDIT, content } as Step] }] } });
  await (await workshop.supervisor()).delegate('long', contract());
  const seen = join(workshop.directory, 'seen');
  onTerminal(workshop, 'task diff long', { PAGER: `tee ${seen}` });
  expect(stripVTControlCharacters(readFileSync(seen, 'utf8'))).toContain('+line 39\n');
});

test('Ctrl-C leaves a watched task at work; ended, it says so with its own exit code', TIMEOUT, async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT, { do: 'say', text: 'On it\n' }, FOREVER] }] } });
  const supervisor = await workshop.supervisor();
  const delegated = supervisor.delegate('work', contract());
  const watching = startRemit(workshop, ['task', 'watch', 'work']);
  await expect.poll(async () => (await remit(workshop, ['task', 'list'])).out, { timeout: 30_000 }).toContain('work');
  const again = startRemit(workshop, ['task', 'watch', 'work', '--until', 'over']);
  await again.prints('the worker has its prompt');
  again.child.kill('SIGINT');
  expect(await again.ended).toMatchObject({ code: 130, err: expect.stringContaining('task work is as it was') });
  expect((await remitJson(workshop, ['task', 'show', 'work'])).status.state).toBe('running');
  const cancelled = await remit(workshop, ['task', 'cancel', 'work']);
  expect(cancelled).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^work {2}cancelled\nIts branch remit\/work/),
  });
  expect((await delegated)['state']).toBe('cancelled');
  await watching.ended;
  expect(await remit(workshop, ['task', 'watch', 'work'])).toMatchObject({ code: 1 });
  expect((await remitJson(workshop, ['task', 'close', 'work'])).state).toBe('cancelled');
  expect((await remit(workshop, ['task', 'cancel', 'work'])).out).toContain(
    'It was over already; nothing was changed.',
  );
  expect((await remitJson(workshop, ['task', 'list'])).tasks).toEqual([]);
  expect((await remitJson(workshop, ['task', 'list', '--all'])).tasks).toHaveLength(1);
});
