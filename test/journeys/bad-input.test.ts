import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import type { Answer, Supervisor } from './supervisor.ts';
import { contract, makeWorkshop, type Workshop, type WorkshopOptions } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };

/** A refused call must leave nothing: no branch, no worktree, no folder of the task, nothing in the checkout. */
async function expectRefused(
  workshop: Workshop,
  call: () => Promise<Answer>,
  error: Record<string, unknown>,
): Promise<void> {
  const before = workshop.fingerprint();
  const branches = workshop.git('branch', '--list', 'remit/*');
  await expect(call()).rejects.toMatchObject(error);
  expect(workshop.fingerprint()).toBe(before);
  expect(workshop.git('branch', '--list', 'remit/*')).toBe(branches);
  expect(listed(join(workshop.stateDirectory, 'worktrees'))).toEqual([]);
  expect(listed(join(workshop.stateDirectory, 'tasks'))).toEqual([]);
}

function listed(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

async function open(options: WorkshopOptions = {}): Promise<{ workshop: Workshop; supervisor: Supervisor }> {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] }, ...options });
  return { workshop, supervisor: await workshop.supervisor() };
}

describe('a contract with problems', () => {
  const criterion = { id: 'c', requirement: 'r', evidence: 'automated' };
  const rows: [string, unknown, RegExp][] = [
    ['wrong types', { ...contract(), objective: 7, write_scope: 'src' }, /objective[\s\S]*write_scope/],
    ['an unknown field', contract({ surprise: true }), /surprise/],
    ['an empty write scope', contract({ write_scope: [] }), /write_scope/],
    ['a path that climbs', contract({ write_scope: ['../x'] }), /write_scope/],
    ['an absolute path', contract({ write_scope: ['/etc/passwd'] }), /write_scope/],
    ['a criterion that nothing proves', contract({ acceptance_criteria: [criterion] }), /acceptance_criteria/],
    [
      'an id given twice',
      contract({
        acceptance_criteria: [
          { ...criterion, evidence: 'review' },
          { ...criterion, evidence: 'review' },
        ],
      }),
      /acceptance_criteria/,
    ],
    [
      'a command that policy denies',
      contract({ acceptance_criteria: [criterion], verification: [{ id: 'v', argv: ['git', 'push'], proves: ['c'] }] }),
      /verification/,
    ],
    [
      'a shell text as a command',
      contract({
        acceptance_criteria: [criterion],
        verification: [{ id: 'v', argv: ['sh', '-c', 'x'], proves: ['c'] }],
      }),
      /verification/,
    ],
    [
      'an assertion on a file of Git',
      contract({
        acceptance_criteria: [criterion],
        file_assertions: [{ id: 'f', path: '.git/config', expected_utf8: '', proves: ['c'] }],
      }),
      /file_assertions/,
    ],
    ['two megabytes', contract({ objective: 'x'.repeat(2_000_000) }), /objective|large|bytes/],
    ['nothing', null, /contract/],
  ];
  test.each(rows)('%s is refused with the place of each', async (_name, given, words) => {
    const { workshop, supervisor } = await open();
    let details: unknown;
    await expectRefused(
      workshop,
      () =>
        supervisor.delegate('bad', given).catch((error) => {
          details = error.error;
          throw error;
        }),
      { code: 'invalid_contract', error: { next_action: 'fix_request' } },
    );
    expect(JSON.stringify(details)).toMatch(words);
  });

  test('has every problem named at once', async () => {
    const { supervisor } = await open();
    const error = await supervisor
      .delegate('bad', { ...contract(), objective: '', write_scope: ['../x', '/y'], surprise: 1 })
      .catch((caught) => caught);
    expect(error.error.details.problems.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a request with problems', () => {
  test.each([
    ['../up'],
    ['a/b'],
    ['.hidden'],
    ['x..y'],
    ['name.lock'],
    ['dot.'],
    ['@{u}'],
    ['-dash'],
    [''],
    ['x'.repeat(65)],
    ['nul\0'],
  ])('the task id %j is refused', async (taskId) => {
    const { workshop, supervisor } = await open();
    await expectRefused(workshop, () => supervisor.delegate(taskId, contract()), { code: 'invalid_request' });
  });

  test.each([['--output=/tmp/x'], ['HEAD:a.txt'], ['@{u}'], ['main..main'], ['no-such-branch'], ['-h']])(
    'the base %j is refused',
    async (base) => {
      const { workshop, supervisor } = await open();
      await expectRefused(workshop, () => supervisor.delegate('base', contract(), { base_ref: base }), {
        code: 'invalid_request',
      });
    },
  );

  test('unknown fields, foreign and missing fields of an action, an unknown task', async () => {
    const { workshop, supervisor } = await open();
    await expectRefused(workshop, () => supervisor.delegate('x', contract(), { surprise: 1 }), {
      code: 'invalid_request',
    });
    await expect(supervisor.control('none', 'cancel')).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(supervisor.control('none', 'cancel', { message: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(supervisor.control('none', 'steer')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(supervisor.control('none', 'explode')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(supervisor.inspect('none')).rejects.toMatchObject({ code: 'task_not_found' });
    await expect(supervisor.inspect('../../etc')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a cursor that was forged or belongs to another task', async () => {
    const { supervisor } = await open();
    await supervisor.delegate('paged', contract());
    const page = await supervisor.inspect('paged', { max_bytes: 1024 });
    expect(page).toMatchObject({ truncated: true, next_cursor: expect.any(String) });
    for (const cursor of ['forged', `${page['next_cursor']}x`, Buffer.from('{}').toString('base64url')]) {
      await expect(supervisor.inspect('paged', { cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await supervisor.delegate('other', contract({ write_scope: ['docs/**'] }), { wait_mode: 'background' });
    await expect(supervisor.inspect('other', { cursor: page['next_cursor'] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('an approval that is stale, incomplete or of a foreign criterion', async () => {
    const { supervisor } = await open();
    const shown = await supervisor.delegate('approve', contract());
    await expect(supervisor.finalize(shown, { approved_review_criteria: [] })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('looks-right'),
    });
    await expect(
      supervisor.finalize(shown, { approved_review_criteria: ['looks-right', 'foreign'] }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('foreign') });
    await expect(supervisor.finalize(shown, { expected_review_tree_hash: '0'.repeat(40) })).rejects.toMatchObject({
      code: 'invalid_request',
      error: { details: { review_revision: 1, review_tree_hash: shown['review_tree_hash'] } },
    });
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('no directory to work in', async () => {
    const { workshop } = await open();
    const supervisor = await workshop.supervisor({ root: undefined });
    await expectRefused(workshop, () => supervisor.delegate('none', contract()), { code: 'missing_sandbox_metadata' });
  });
});

describe('a repository that is not ready', () => {
  test('dirty or newer paths that overlap the scope', async () => {
    const { workshop, supervisor } = await open();
    workshop.write('src/x.ts', 'mine\n');
    await expectRefused(workshop, () => supervisor.delegate('dirty', contract()), {
      code: 'dirty_repository',
      message: expect.stringContaining('src/x.ts'),
    });
    workshop.git('commit', '-qam', 'Mine');
    await expectRefused(workshop, () => supervisor.delegate('newer', contract(), { base_ref: 'HEAD~1' }), {
      code: 'dirty_repository',
    });
  });

  test('no author identity', async () => {
    const { workshop } = await open();
    writeFileSync(join(workshop.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n');
    const supervisor = await workshop.supervisor();
    await expectRefused(workshop, () => supervisor.delegate('nobody', contract()), {
      code: 'invalid_request',
      message: expect.stringContaining('user.email'),
    });
  });

  test('a branch of that name, or one whose name is in its way', async () => {
    const { workshop, supervisor } = await open();
    workshop.git('branch', 'remit/taken');
    await expectRefused(workshop, () => supervisor.delegate('taken', contract()), {
      code: 'ownership_ambiguous',
      message: expect.stringContaining('remit/taken'),
    });
    workshop.git('branch', '-D', 'remit/taken');
    workshop.git('branch', 'remit/deep/er');
    await expectRefused(workshop, () => supervisor.delegate('deep', contract()), {
      code: 'ownership_ambiguous',
      message: expect.stringContaining('remit/deep/er'),
    });
    workshop.git('branch', '-D', 'remit/deep/er');
    workshop.git('branch', 'remit');
    await expectRefused(workshop, () => supervisor.delegate('prefix', contract()), {
      code: 'ownership_ambiguous',
      message: expect.stringContaining('remit'),
    });
  });

  test('an id that differs from another only in letter case, since a disk may fold both branches into one', async () => {
    const { workshop, supervisor } = await open();
    const both = await Promise.allSettled([
      supervisor.delegate('Fold', contract()),
      supervisor.delegate('fold', contract({ write_scope: ['docs/**'] })),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = both.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'task_conflict',
      message: expect.stringMatching(/letter case/),
      error: { next_action: expect.any(String) },
    });
    expect(workshop.git('branch', '--list', 'remit/*').split('\n')).toHaveLength(1);
    expect(listed(join(workshop.stateDirectory, 'worktrees'))).toHaveLength(1);
  });

  test('a folder that already stands where the worktree would be is kept', async () => {
    const { workshop, supervisor } = await open();
    const folder = join(workshop.stateDirectory, 'worktrees/stands');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'mine'), '1');
    await expect(supervisor.delegate('stands', contract())).rejects.toMatchObject({ code: 'ownership_ambiguous' });
    expect(existsSync(join(folder, 'mine'))).toBe(true);
    expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
  });

  test('a source that changes where it overlaps, while the task is at review', async () => {
    const { workshop, supervisor } = await open();
    const shown = await supervisor.delegate('moves', contract());
    workshop.write('unrelated.txt', 'fine\n');
    workshop.write('src/x.ts', 'mine\n');
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({
      code: 'ownership_ambiguous',
      message: expect.stringContaining('src/x.ts'),
    });
    const { sections } = await supervisor.inspect('moves', { include: ['status'] });
    expect(sections.status).toMatchObject({
      state: 'review_required',
      source_collision: { overlappingPaths: ['src/x.ts'] },
    });
    workshop.git('checkout', '-q', 'src/x.ts');
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
  });

  test('a branch that somebody moved is not overwritten', async () => {
    const { workshop, supervisor } = await open();
    const shown = await supervisor.delegate('moved', contract());
    const other = execFileSync('git', ['commit-tree', '-p', 'HEAD', '-m', 'Other', 'HEAD^{tree}'], {
      cwd: workshop.repository,
      env: workshop.environment,
      encoding: 'utf8',
    }).trim();
    workshop.git('update-ref', 'refs/heads/remit/moved', other);
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'commit_failed' });
    expect(workshop.git('rev-parse', 'remit/moved')).toBe(other);
    expect((await supervisor.settled('moved'))['state']).toBe('review_required');
  });
});

describe('a worker that does not start', () => {
  test.each([
    ['is not installed', { command: ['/nonexistent/agent', 'acp'] }, {}, 'worker_unavailable'],
    ['speaks another protocol', {}, { protocolVersion: 99 }, 'worker_incompatible'],
    ['is not logged in', {}, { newSession: 'never' as const }, 'worker_unavailable'],
    ['dies at once', {}, { initialize: 'exit' as const }, 'worker_unavailable'],
  ])('because it %s', async (_name, workerEntry, script, code) => {
    const { workshop, supervisor } = await open({ script: { prompts: [{ steps: [EDIT] }], ...script }, workerEntry });
    await expectRefused(workshop, () => supervisor.delegate('worker', contract()), { code });
    workshop.useScript({ prompts: [{ steps: [EDIT] }] });
    const again = await workshop.supervisor();
    expect((await again.delegate('worker', contract()))['state'], 'the same id works once it is mended').toBe(
      'review_required',
    );
  });
});

describe('a sandbox that does not work', () => {
  test('refuses before anything is made, whatever is on the search path', async () => {
    const { workshop } = await open();
    const bin = join(workshop.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    chmodSync(join(bin, 'bwrap'), 0o755);
    const environment = { ...workshop.environment, PATH: `${bin}:${workshop.environment['PATH']}` };
    const supervisor = await workshop.supervisor({ environment });
    await expectRefused(workshop, () => supervisor.delegate('box', contract()), { code: 'sandbox_unavailable' });
    rmSync(bin, { recursive: true });
  });
});
