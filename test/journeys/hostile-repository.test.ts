import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

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
    await supervisor.delegate('closed', contract());
    await supervisor.control('closed', 'close');
    workshop.useScript({ initialize: 'exit', prompts: [] });
    const again = await workshop.supervisor();
    await expect(again.delegate('taken-back', contract())).rejects.toMatchObject({ code: 'worker_unavailable' });
    expect(workshop.git('branch', '--list', 'remit/taken-back')).toBe('');
    expectNoMark(marker);
    workshop.git('update-ref', 'refs/heads/anything', 'HEAD');
    expect(readFileSync(marker, 'utf8'), 'the hooks are alive').toContain('planted.sh');
  });

  test.each([
    ['may write', ['**'], 'Configuration that can run code'],
    ['may not write', ['src/**'], 'outside the write scope'],
  ])('a tracked hooks folder that the worker %s', async (_may, writeScope, risk) => {
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
                  content: '#!/bin/sh\necho ran >> "$(git rev-parse --show-toplevel)/../marker"\n',
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
    const shown = await supervisor.delegate('tracked', contract({ write_scope: writeScope }));
    expect(shown['risks'].find((said: string) => said.includes('.githooks/'))).toContain(risk);
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
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

  test('programs and settings of tools, of the checkout that the server stands in or of the worktree', async () => {
    const tools = ['git', 'bwrap', 'node', 'npm', 'yarn', 'sh', 'env', 'reasonix'];
    const settings: Record<string, string> = {
      '.npmrc': 'script-shell=./node_modules/.bin/sh\n',
      '.yarnrc.yml': 'yarnPath: ./node_modules/.bin/yarn\n',
      '.envrc': './node_modules/.bin/sh\n',
      '.node-version': '24.0.0\n',
    };
    const workshop = makeWorkshop();
    const planted = join(workshop.directory, 'marker');
    const program = `#!/bin/sh\necho "$0" >> '${planted}'\nexit 1\n`;
    const programs = tools.flatMap((tool) => [tool, `node_modules/.bin/${tool}`]);
    const files: Step[] = [
      ...Object.entries(settings).map(([path, content]): Step => ({ do: 'write', path, content })),
      ...programs.map((path): Step => ({ do: 'write', path, content: program })),
      ...programs.map((path): Step => ({ do: 'chmod', path, mode: 0o755 })),
    ];
    workshop.useScript({ prompts: [{ steps: [EDIT, ...files] }] });
    for (const path of programs) plant(workshop, path);
    for (const [path, content] of Object.entries(settings)) workshop.write(path, content);
    const environment = { ...workshop.environment, PATH: `node_modules/.bin:.::${workshop.environment['PATH']}` };
    const supervisor = await workshop.supervisor({
      environment,
      inside: (argv) => ['/usr/bin/env', '-C', workshop.repository, ...argv],
    });
    const shown = await supervisor.delegate('tools', contract(provenBy('node', '--version')));
    expect(shown['changed_files']).toEqual(['src/x.ts']);
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    expectNoMark(planted);
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

describe('a filter', () => {
  test('whose program the worker rewrites does not run, and what it would have made is not taken', async () => {
    const workshop = makeWorkshop();
    const marker = plant(workshop, 'tools/clean.sh');
    workshop.write('.gitattributes', '*.dat filter=strip\n');
    workshop.write('data/a.dat', 'raw\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Filtered');
    workshop.git('config', 'filter.strip.clean', './tools/clean.sh');
    workshop.git('config', 'filter.strip.smudge', './tools/clean.sh');
    workshop.git('config', 'filter.strip.required', 'true');
    const rewritten = `#!/bin/sh\necho rewritten >> '${marker}'\ncat\n`;
    const tool: Step = { do: 'write', path: 'tools/clean.sh', content: rewritten };
    workshop.useScript({ prompts: [{ steps: [tool, { do: 'append', path: 'data/a.dat', content: 'x\n' }] }] });
    const scope = contract({ write_scope: ['src/**', 'tools/**'] });
    const first = await workshop.supervisor();
    const shown = await first.delegate('rewrites', scope);
    expect(shown['changed_files']).toEqual(['tools/clean.sh']);
    expect(shown['risks'].join('\n')).toMatch(/Checked out as stored, since no filter runs: data\/a\.dat/);
    const done = await first.finalize(shown);
    expect(workshop.git('show', '--name-only', '--format=', done['commit_hash'])).toBe('tools/clean.sh');
    workshop.useScript({ prompts: [{ steps: [tool, { do: 'write', path: 'src/d.dat', content: 'raw\n' }] }] });
    const second = await workshop.supervisor();
    expect(await second.delegate('adds', scope)).toMatchObject({
      state: 'paused',
      phase: 'filtered_path',
      reason: expect.stringContaining('src/d.dat'),
    });
    expectNoMark(marker);
  });

  test('of the user’s own configuration counts the same, so that no pointer is replaced by what it points at', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [EDIT, { do: 'write', path: 'assets/m.bin', content: 'the real thing' }] }] },
    });
    const pointer = 'version https://git-lfs.github.com/spec/v1\n';
    workshop.write('assets/m.bin', pointer);
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Pointer');
    workshop.write('.gitattributes', '*.bin filter=lfs\n');
    workshop.git('add', '.gitattributes');
    workshop.git('commit', '-qm', 'Attributes');
    const ran = join(workshop.directory, 'ran');
    const filter = `\tclean = touch ${ran}; cat\n\tsmudge = touch ${ran}; cat\n\trequired = true\n`;
    appendFileSync(join(workshop.home, '.gitconfig'), `[filter "lfs"]\n${filter}`);
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('in', contract({ write_scope: ['assets/**'] }))).rejects.toMatchObject({
      code: 'unsupported_platform',
      message: expect.stringMatching(/assets\/m\.bin \(filter=lfs\).*Narrow write_scope/),
    });
    const shown = await supervisor.delegate('beside', contract());
    expect(shown['risks'].join('\n')).toContain('Checked out as stored, since no filter runs: assets/m.bin');
    const done = await supervisor.finalize(shown);
    expect(workshop.git('cat-file', 'blob', `${done['commit_hash']}:assets/m.bin`)).toBe(pointer.trim());
    expect(existsSync(ran)).toBe(false);
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
    ['a tab', Buffer.from('src/a\tb.txt')],
    ['the name of another and a space', Buffer.from('src/x.ts ')],
    ['a backslash', Buffer.from('src/a\\b.txt')],
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
    const listed = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', done['commit_hash'], 'src/'], {
      cwd: workshop.repository,
      env: workshop.environment,
    });
    const committed = listed.toString('latin1').split('\0').filter(Boolean);
    expect(committed.toSorted()).toEqual(['src/go', 'src/x.ts', path.toString('latin1')].toSorted());
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

  test('a worktree of a bare repository works to the end', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const linked = join(workshop.directory, 'linked');
    workshop.git('clone', '-q', '--bare', workshop.repository, join(workshop.directory, 'bare.git'));
    workshop.git('-C', join(workshop.directory, 'bare.git'), 'worktree', 'add', '-q', linked);
    const supervisor = await workshop.supervisor({ root: linked });
    const done = await supervisor.finalize(await supervisor.delegate('bare', contract()));
    expect(done['state']).toBe('completed');
    expect(workshop.git('-C', linked, 'rev-list', '--count', `HEAD..${done['commit_hash']}`)).toBe('1');
    expect(workshop.git('-C', linked, 'status', '--porcelain')).toBe('');
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

  test('one of another owner is refused with how to allow it, and works to the end once the user allowed it', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const bin = join(workshop.directory, 'bin');
    mkdirSync(bin);
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const pretend = `#!/bin/sh\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec '${git}' "$@"\n`;
    writeFileSync(join(bin, 'git'), pretend, { mode: 0o755 });
    const environment = { ...workshop.environment, PATH: `${bin}:${workshop.environment['PATH']}` };
    const refusing = await workshop.supervisor({ environment });
    await expect(refusing.delegate('foreign', contract())).rejects.toMatchObject({
      code: 'unsupported_platform',
      message: expect.stringMatching(/belongs to another user.*safe\.directory/),
    });
    workshop.git('config', '--global', 'safe.directory', workshop.repository);
    const supervisor = await workshop.supervisor({ environment });
    expect((await supervisor.finalize(await supervisor.delegate('foreign', contract())))['state']).toBe('completed');
    expect(workshop.git('config', '--get-all', 'safe.directory')).toBe(workshop.repository);
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
