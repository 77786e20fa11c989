import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, type Workshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };

/** A program of the repository that leaves a mark when anything runs it. */
function plant(workshop: Workshop, path: string): string {
  const marker = join(workshop.directory, 'marker');
  workshop.write(path, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`);
  chmodSync(join(workshop.repository, path), 0o755);
  return marker;
}

function expectNoMark(marker: string): void {
  expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('');
}

const HOOKS = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-commit',
  'update',
  'pre-auto-gc',
];

describe('nothing that the repository names runs on the host', () => {
  test('hooks in the Git folder', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const marker = plant(workshop, 'planted.sh');
    for (const hook of HOOKS) {
      writeFileSync(
        join(workshop.repository, '.git/hooks', hook),
        `#!/bin/sh\n${join(workshop.repository, 'planted.sh')} </dev/null\n`,
        { mode: 0o755 },
      );
    }
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('hooks', contract());
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    expectNoMark(marker);
  });

  test('a tracked hooks folder that the worker may write', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              ...HOOKS.map(
                (hook): Step => ({
                  do: 'write',
                  path: `.githooks/${hook}`,
                  content: '#!/bin/sh\necho ran >> ../marker\n',
                }),
              ),
              ...HOOKS.map((hook): Step => ({ do: 'chmod', path: `.githooks/${hook}`, mode: 0o755 })),
            ],
          },
        ],
      },
    });
    const marker = plant(workshop, '.githooks/pre-commit');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Hooks');
    workshop.git('config', 'core.hooksPath', '.githooks');
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('tracked', contract({ write_scope: ['**'] }));
    expect(shown['risks'].join()).toContain('.githooks/');
    await supervisor.finalize(shown);
    expectNoMark(marker);
    expect(existsSync(join(workshop.stateDirectory, 'worktrees/marker'))).toBe(false);
  });

  test('fsmonitor, filters, textconv, external diff, pagers, credential helpers and aliases', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT, { do: 'write', path: 'src/d.conv', content: 'two\n' }] }] },
    });
    const marker = plant(workshop, 'tools/run.sh');
    workshop.write('.gitattributes', '*.dat filter=strip\n*.conv diff=conv\n');
    workshop.write('data/a.dat', 'raw\n');
    workshop.write('src/d.conv', 'one\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Attributes');
    const run = './tools/run.sh';
    for (const [key, value] of [
      ['core.fsmonitor', run],
      ['filter.strip.clean', run],
      ['filter.strip.smudge', run],
      ['filter.strip.process', run],
      ['filter.strip.required', 'true'],
      ['diff.conv.textconv', run],
      ['diff.conv.command', run],
      ['diff.external', run],
      ['core.pager', run],
      ['core.editor', run],
      ['core.sshCommand', run],
      ['core.askPass', run],
      ['credential.helper', `!${run}`],
      ['gpg.program', run],
      ['commit.gpgSign', 'true'],
      ['alias.status', `!${run}`],
    ] as const) {
      workshop.git('config', key, value);
    }
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('programs', contract());
    expect(shown['diff']).toContain('+two');
    expect(shown['risks'].join()).toContain('data/a.dat');
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    expectNoMark(marker);
  });

  test('a program called git in a relative folder of the search path', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const marker = plant(workshop, 'node_modules/.bin/git');
    const environment = { ...workshop.environment, PATH: `node_modules/.bin:.:${workshop.environment['PATH']}` };
    const supervisor = await workshop.supervisor({ environment });
    expect((await supervisor.delegate('path', contract()))['state']).toBe('review_required');
    expectNoMark(marker);
  });
});

describe('a path under a filter', () => {
  test('in scope is refused before anything is made', async () => {
    const workshop = makeWorkshop();
    workshop.write('.gitattributes', 'src/*.bin filter=lfs\n');
    workshop.write('src/m.bin', 'version https://git-lfs.github.com/spec/v1\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Pointer');
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('lfs', contract())).rejects.toMatchObject({
      code: 'unsupported_platform',
      message: expect.stringContaining('src/m.bin'),
    });
    expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
  });

  test('that the worker makes anew is never taken raw', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'write', path: 'src/new.bin', content: 'raw' }] }] },
    });
    workshop.write('.gitattributes', '*.bin filter=lfs\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Attributes');
    const supervisor = await workshop.supervisor();
    expect(await supervisor.delegate('lfs', contract())).toMatchObject({ state: 'paused', phase: 'filtered_path' });
  });
});

describe('file names are bytes', () => {
  test.each([
    ['Latin-1', Buffer.from('src/caf\xe9.txt', 'latin1')],
    ['a newline', Buffer.from('src/two\nlines.txt')],
    ['quotes', Buffer.from('src/say "hi" \'there\'.txt')],
    ['an arrow', Buffer.from('src/a -> b.txt')],
    ['a leading dash and pathspec magic', Buffer.from('src/-:(top)x*.txt')],
    ['an emoji and a trailing space', Buffer.from('src/🎉 ')],
  ])('%s survives from the worktree to the commit', async (_name, path) => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [{ do: 'wait_for', path: 'src/go' }, EDIT] }] } });
    const supervisor = await workshop.supervisor();
    await supervisor.delegate('names', contract(), { wait_timeout_seconds: 1 });
    const worktree = Buffer.from(`${workshop.stateDirectory}/worktrees/names/`);
    writeFileSync(Buffer.concat([worktree, path]), 'content\n');
    writeFileSync(Buffer.concat([worktree, Buffer.from('src/go')]), '');
    const shown = await supervisor.delegate('names', contract());
    expect(shown['changed_files']).toHaveLength(3);
    const done = await supervisor.finalize(shown);
    expect(
      workshop.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', '-z', done['commit_hash']).length,
    ).toBeGreaterThan(0);
    const listed = workshop.git('ls-tree', '-r', '--format=%(path)', done['commit_hash'], 'src/');
    expect(listed.split('\n')).toHaveLength(3);
  });

  test('a root file called src\\evil.ts is out of scope, and !note.md breaks nothing', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              { do: 'write', path: 'src\\evil.ts', content: '1' },
              { do: 'write', path: '!note.md', content: '1' },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('odd', contract());
    expect(shown['changed_files']).toEqual(['src/x.ts']);
    expect(shown['risks'].join()).toContain('src\\evil.ts');
    expect(shown['risks'].join()).toContain('!note.md');
  });
});

describe('kinds of repositories', () => {
  test('SHA-256, a detached HEAD and a linked worktree work to the end', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] }, objectFormat: 'sha256' });
    workshop.git('checkout', '-q', '--detach');
    workshop.git('worktree', 'add', '-q', '--detach', join(workshop.directory, 'linked'));
    const supervisor = await workshop.supervisor({ root: join(workshop.directory, 'linked') });
    const shown = await supervisor.delegate('kinds', contract());
    expect(shown['review_tree_hash']).toHaveLength(64);
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
  });

  test('a shallow clone works', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write('src/y.ts', '2\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Second');
    workshop.git('clone', '-q', '--depth=1', `file://${workshop.repository}`, join(workshop.directory, 'shallow'));
    const supervisor = await workshop.supervisor({ root: join(workshop.directory, 'shallow') });
    const shown = await supervisor.delegate('shallow', contract());
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
  });

  test.each([
    ['no commit yet', ['init', '-q', 'odd']],
    ['bare', ['init', '-q', '--bare', 'odd']],
  ])('%s is refused with the true reason', async (reason, args) => {
    const workshop = makeWorkshop();
    workshop.git(...args.slice(0, -1), join(workshop.directory, 'odd'));
    const supervisor = await workshop.supervisor({ root: join(workshop.directory, 'odd') });
    await expect(supervisor.delegate('odd', contract())).rejects.toMatchObject({
      code: 'not_git_repository',
      message: expect.stringMatching(reason === 'bare' ? /bare/ : /commit/),
    });
  });

  test('a folder that is no repository is refused', async () => {
    const workshop = makeWorkshop();
    mkdirSync(join(workshop.directory, 'plain'));
    const supervisor = await workshop.supervisor({ root: join(workshop.directory, 'plain') });
    await expect(supervisor.delegate('plain', contract())).rejects.toMatchObject({ code: 'not_git_repository' });
  });
});
