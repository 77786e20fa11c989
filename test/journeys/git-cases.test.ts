/** What Git can do to a task: odd content and names, identities, refs, and a source that moves under it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };

/** A workshop whose worker waits in its turn until `src/go` exists, then edits. */
function withWaitingWorker(): Workshop {
  const go = 'src/go';
  return makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'wait_for', path: go }, { do: 'delete', path: go }, EDIT] }, { steps: [] }] },
  });
}

function commitAll(workshop: Workshop, message = 'More'): void {
  workshop.git('add', '.');
  workshop.git('commit', '-qm', message);
}

describe('a reviewer is told of', () => {
  test('line endings that bury a change of one word', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`);
    const steps: Step[] = [
      { do: 'write', path: 'src/long.txt', content: `${lines.with(7, 'one word').join('\r\n')}\r\n` },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    workshop.write('src/long.txt', `${lines.join('\n')}\n`);
    commitAll(workshop);
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('endings', contract());
    expect(shown['risks'].join()).toContain('of 1000 added and removed lines, 2 differ in more than their line ending');
    const done = await supervisor.finalize(shown);
    const committed = execFileSync('git', ['cat-file', 'blob', `${done['commit_hash']}:src/long.txt`], {
      cwd: workshop.repository,
      env: workshop.environment,
    });
    expect(committed.filter((byte) => byte === 13)).toHaveLength(500);
  });

  test('characters that reorder or hide what is read, which come escaped in every text', async () => {
    const rlo = 'src/\u202egnp.ts';
    const steps: Step[] = [
      {
        do: 'write',
        path: 'src/x.ts',
        content: 'const admin = "user\u202e \u2066// check\u2069 \u2066";\nlet a\u200db = 1;\n',
      },
      { do: 'write', path: rlo, content: 'x\u001b[2J\n' },
      { do: 'say', text: 'done \u202eenod \u001b]52;c;eA==\u0007' },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('hidden', contract());
    expect(shown['diff']).toContain('"user\\u{202E} \\u{2066}// check\\u{2069} \\u{2066}";');
    expect(shown['diff']).toContain('a\\u{200D}b');
    expect(shown['changed_files']).toContain('src/\\u{202E}gnp.ts');
    expect(shown['risks'].join()).toContain('bidirectional');
    const inspected = await supervisor.inspect('hidden', {
      include: ['status', 'summary', 'changed_files', 'diff_stat', 'diff', 'risks', 'events'],
    });
    for (const text of stringsIn([shown, inspected])) {
      expect(text).not.toMatch(/\u200d|[\u001b\u0007\u202a-\u202e\u2066-\u2069]/);
    }
    const done = await supervisor.finalize(shown);
    const raw = workshop.git('show', `${done['commit_hash']}:src/x.ts`);
    expect(raw, 'what is committed is what was written').toBe(
      'const admin = "user\u202e \u2066// check\u2069 \u2066";\nlet a\u200db = 1;',
    );
  });

  test('leftovers, binaries and large files in scope, and of strays outside', async () => {
    const steps: Step[] = [
      EDIT,
      { do: 'write', path: 'notes.txt', content: 'mine\n' },
      { do: 'write', path: '.DS_Store', content: '1' },
      { do: 'write', path: 'src/x.ts.orig', content: 'old\n' },
      { do: 'write', path: 'src/.x.ts.swp', content: '1' },
      { do: 'run', argv: ['truncate', '-s', '3000000', 'src/screenshot.png'] },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('strays', contract());
    const risks = shown['risks'].join('\n');
    expect(risks).toMatch(/outside the write scope[^\n]*\.DS_Store, notes\.txt/);
    expect(risks).toMatch(/leftover of a tool[^\n]*src\/\.x\.ts\.swp[^\n]*src\/x\.ts\.orig/);
    expect(risks).toMatch(/Binary[^\n]*src\/screenshot\.png/);
    expect(risks).toMatch(/Larger than 1 MiB[^\n]*src\/screenshot\.png/);
    expect(shown['changed_files']).not.toContain('notes.txt');
  });
});

test('twelve thousand files with long names beside two of nine megabytes, in a repository of sixty thousand', async () => {
  const program = `const fs = require('node:fs');
fs.mkdirSync('src/many');
for (let n = 0; n < 12000; n += 1) fs.writeFileSync('src/many/' + 'n'.repeat(200) + n, '');
const lines = Array.from({ length: 180000 }, (_, n) => 'a line of fifty characters, number ' + String(n).padStart(12, '0') + '..');
for (const name of ['one', 'two']) fs.writeFileSync('src/' + name + '.txt', lines.join('\\n'));
`;
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'run', argv: [process.execPath, '-e', program] }] }] },
  });
  addManyFiles(workshop, 60_000);
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('big', contract());
  expect(shown).toMatchObject({ state: 'review_required', inspect_required: true });
  expect(JSON.stringify(shown).length).toBeLessThan(65_536);
  expect(shown['risks'].join()).toContain('src/one.txt, src/two.txt');
  const first = await supervisor.inspect('big', { include: ['diff'] });
  expect(first).toMatchObject({ truncated: true, next_cursor: expect.any(String) });
  const second = await supervisor.inspect('big', { cursor: first['next_cursor'] });
  expect(second).toMatchObject({ truncated: true, next_cursor: expect.any(String) });
  expect(second['sections'].diff).not.toBe(first['sections'].diff);
  for (const page of [first, second]) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(65_536);
  const done = await supervisor.finalize(shown);
  expect(workshop.git('rev-parse', `${done['commit_hash']}^{tree}`)).toBe(shown['review_tree_hash']);
  const many = workshop.git('ls-tree', '--name-only', `${done['commit_hash']}:src/many`);
  expect(many.split('\n')).toHaveLength(12_000);
  // Node's own way needs minutes for so many names of that length.
  execFileSync('rm', ['-rf', workshop.directory]);
}, 240_000);

/** A commit on top with that many small files, without a Git that walks them all more than once. */
function addManyFiles(workshop: Workshop, count: number): void {
  const files = Array.from(
    { length: count },
    (_, n) => `M 100644 inline lib/${n % 600}/file-${n}.txt\ndata 3\n${n % 9}a\n`,
  );
  const head =
    'commit refs/heads/main\ncommitter A <a@e.test> 1700000000 +0000\ndata 4\nMany\nfrom refs/heads/main^0\n';
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: workshop.repository,
    env: workshop.environment,
    input: `${head}${files.join('')}`,
  });
  // Those files are for the worktree; the caller's own checkout need not hold them, too.
  workshop.git('sparse-checkout', 'set', 'src');
  workshop.git('reset', '-q', '--hard');
}

/** Every string anywhere in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

test('a reviewer is told of words that mix letters of two scripts, in text and in names', async () => {
  const steps: Step[] = [
    {
      do: 'write',
      path: 'src/x.ts',
      content: 'export const is\u0410dmin = false; // \u043f\u0440\u0438\u0432\u0435\u0442\n',
    },
    { do: 'write', path: 'src/\u0430uth.ts', content: 'export const \u03c0r = 3;\n' },
  ];
  const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('scripts', contract());
  const [risk] = shown['risks'].filter((said: string) => said.includes('other scripts'));
  expect(risk).toContain('is\\u{410}dmin');
  expect(risk).toContain('\\u{430}uth');
  expect(risk).not.toMatch(/\\u\{(43F|3C0)\}/);
  expect((await supervisor.finalize(shown))['state']).toBe('completed');
});

describe('content that other tools stumble over is committed as it is', () => {
  test('trailing blanks, conflict markers, CRLF, no newline at the end', async () => {
    const files = {
      'src/break.md': 'a line  \nnext\t\n',
      'src/conflict.txt': '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n',
      'src/dos.bat': 'echo a\r\n',
      'src/open.txt': 'no end',
    };
    const steps = Object.entries(files).map(([path, content]): Step => ({ do: 'write', path, content }));
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const supervisor = await workshop.supervisor();
    const done = await supervisor.finalize(await supervisor.delegate('fixtures', contract(provenBy('true'))));
    for (const [path, content] of Object.entries(files)) {
      const blob = execFileSync('git', ['cat-file', 'blob', `${done['commit_hash']}:${path}`], {
        cwd: workshop.repository,
        env: workshop.environment,
        encoding: 'utf8',
      });
      expect(blob).toBe(content);
    }
  });

  test('a program keeps its mode from verification to a fresh clone, although Git ignores modes here', async () => {
    const steps: Step[] = [
      { do: 'write', path: 'src/run.sh', content: '#!/bin/sh\necho ran\n' },
      { do: 'chmod', path: 'src/run.sh', mode: 0o755 },
      { do: 'write', path: 'src/plain.sh', content: '#!/bin/sh\nexit 0\n' },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    workshop.git('config', 'core.fileMode', 'false');
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('mode', contract(provenBy('./src/run.sh')));
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    const clone = join(workshop.directory, 'clone');
    workshop.git('clone', '-q', '--branch', 'remit/mode', workshop.repository, clone);
    expect(execFileSync('./src/run.sh', { cwd: clone, encoding: 'utf8' })).toBe('ran\n');
    expect(() => execFileSync('./src/plain.sh', { cwd: clone, stdio: 'ignore' })).toThrow();
  });

  test('a program that is not executable does not pass because somebody could have made it so', async () => {
    const steps: Step[] = [{ do: 'write', path: 'src/run.sh', content: '#!/bin/sh\nexit 0\n' }];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('mode', contract(provenBy('./src/run.sh')));
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'verification_failed' });
  });

  test.each([
    ['text=auto', 'l1\r\nl2\r\n', 'l1\nl2\n'],
    ['eol=crlf', 'a\r\n', 'a\n'],
    ['ident', '$Id: 0123456789012345678901234567890123456789 $\n', '$Id$\n'],
    ['text working-tree-encoding=UTF-16LE', 'a\0\n\0', 'a\n'],
  ])('an assertion is true of the blob, whatever %s makes of the file', async (attributes, onDisk, inBlob) => {
    const steps: Step[] = [{ do: 'write', path: 'src/new.txt', content: onDisk }];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    workshop.write('.gitattributes', `*.txt ${attributes}\n`);
    workshop.git('rm', '-q', '--cached', 'a.txt');
    rmSync(join(workshop.repository, 'a.txt'));
    commitAll(workshop);
    const supervisor = await workshop.supervisor();
    const asserting = (expected: string) =>
      contract({
        acceptance_criteria: [{ id: 'exact', requirement: 'The bytes are these', evidence: 'automated' }],
        file_assertions: [{ id: 'bytes', path: 'src/new.txt', expected_utf8: expected, proves: ['exact'] }],
      });
    const onlyOnDisk = await supervisor.delegate('disk', asserting(onDisk));
    await expect(supervisor.finalize(onlyOnDisk)).rejects.toMatchObject({ code: 'verification_failed' });
    await supervisor.control('disk', 'close');
    const done = await supervisor.finalize(await supervisor.delegate('blob', asserting(inBlob)));
    expect(workshop.git('cat-file', 'blob', `${done['commit_hash']}:src/new.txt`)).toBe(inBlob.trimEnd());
  });

  test('an assertion takes a name that looks like an option, a comment or a pathspec as the name of a file', async () => {
    const names = ['-x', '--output=x', '#x', 'a b', '$(x)', 'x;y'];
    const steps = names.map((path): Step => ({ do: 'write', path: `src/${path}`, content: `${path}\n` }));
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [...steps, { ...EDIT, path: '-x', content: 'root\n' }] }] },
    });
    const supervisor = await workshop.supervisor();
    const expected = new Map([['-x', 'root\n'], ...names.map((name) => [`src/${name}`, `${name}\n`] as const)]);
    const assertions = [...expected].map(([path, text], at) => ({
      id: `a${at}`,
      path,
      expected_utf8: text,
      proves: ['exact'],
    }));
    const asserting = contract({
      write_scope: ['src/**', '-x'],
      acceptance_criteria: [{ id: 'exact', requirement: 'The bytes are these', evidence: 'automated' }],
      file_assertions: assertions,
    });
    const done = await supervisor.finalize(await supervisor.delegate('names', asserting));
    expect(done['state']).toBe('completed');
    expect(existsSync(join(workshop.repository, 'x'))).toBe(false);
  });

  test('a tracked file that an ignore rule matches can be changed and deleted', async () => {
    const steps: Step[] = [
      { do: 'write', path: 'src/kept.log', content: 'changed\n' },
      { do: 'delete', path: 'src/gone.log' },
    ];
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    workshop.write('.gitignore', '*.log\n');
    workshop.write('src/kept.log', '1\n');
    workshop.write('src/gone.log', '1\n');
    workshop.git('add', '-f', '.');
    workshop.git('commit', '-qm', 'Logs');
    const supervisor = await workshop.supervisor();
    const done = await supervisor.finalize(await supervisor.delegate('tracked', contract()));
    expect(workshop.git('show', '--name-status', '--format=', done['commit_hash'])).toBe(
      'D\tsrc/gone.log\nM\tsrc/kept.log',
    );
  });
});

describe('the commit', () => {
  test('is by a user of any name, without a shell', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const planted = join(workshop.directory, 'planted');
    workshop.git('config', 'user.name', 'Ada "$(touch x)" <B>; O\'Neil \u00e9\n.');
    workshop.git('config', 'user.email', `x$(touch ${planted})@e.test`);
    const supervisor = await workshop.supervisor();
    const done = await supervisor.finalize(await supervisor.delegate('ident', contract()));
    const expected = workshop.git('var', 'GIT_AUTHOR_IDENT').replace(/ \d+ [+-]\d+$/, '');
    expect(workshop.git('log', '-1', '--format=%an <%ae>', done['commit_hash'])).toBe(expected);
    expect(existsSync(planted)).toBe(false);
  });

  test('needs a name that Git takes', async () => {
    const workshop = makeWorkshop();
    workshop.git('config', 'user.name', '...');
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('dots', contract())).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('user.name'),
    });
    expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
  });

  test('does not wait for a signing program that asks somebody', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const program = join(workshop.directory, 'sign');
    writeFileSync(program, '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
    workshop.git('config', 'commit.gpgSign', 'true');
    workshop.git('config', 'gpg.program', program);
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('sign', contract());
    expect(shown['risks'].join()).toContain('commit.gpgSign is set, but the commit will be unsigned');
    const done = await supervisor.finalize(shown);
    expect(done['state']).toBe('completed');
    expect(workshop.git('cat-file', 'commit', done['commit_hash'])).not.toContain('gpgsig');
  });

  test.each([
    ['starts with a dash', '--amend -m "x"'],
    ['is nothing but comments to Git', '# one\n# two'],
    ['has trailers of its own', 'Set x\n\nbody\n\nCo-authored-by: B <b@e.test>'],
  ])('keeps a message that %s', async (_how, message) => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    const done = await supervisor.finalize(await supervisor.delegate('words', contract()), { commit_message: message });
    expect(workshop.git('log', '-1', '--format=%B', done['commit_hash']).startsWith(message)).toBe(true);
    expect(workshop.git('log', '-1', '--format=%(trailers:key=Remit-Task,valueonly)', done['commit_hash']).trim()).toBe(
      'words',
    );
  });

  test('takes no message with a NUL, a blank one, one of a megabyte, or one that hides the trailers from Git', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('words', contract());
    const scissors = `Set x\n\n# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}\nrest`;
    for (const message of ['a\0b', ' \n', 'x'.repeat(1_000_000), scissors]) {
      await expect(supervisor.finalize(shown, { commit_message: message })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
  });
});

describe('a source that moves while the worker runs', () => {
  test.each<[string, (workshop: Workshop) => void]>([
    [
      'by a commit elsewhere',
      (workshop) => {
        workshop.write('docs/new.md', '1\n');
        commitAll(workshop);
      },
    ],
    ['to another branch', (workshop) => workshop.git('checkout', '-q', '-b', 'other')],
    ['off its base, which was amended', (workshop) => workshop.git('commit', '-q', '--amend', '-m', 'Amended')],
    [
      'off a branch that is deleted',
      (workshop) => {
        workshop.git('checkout', '-q', '--detach');
        workshop.git('branch', '-D', 'main');
      },
    ],
    ['by uncommitted work elsewhere', (workshop) => workshop.write('a.txt', 'mine\n')],
  ])('%s does not stop the task, and the parent stays the base', async (_how, move) => {
    const workshop = withWaitingWorker();
    const base = workshop.git('rev-parse', 'HEAD');
    const supervisor = await workshop.supervisor();
    const working = await supervisor.delegate('moves', contract(), { base_ref: 'main', wait_timeout_seconds: 0 });
    move(workshop);
    writeFileSync(join(working['worktree'], 'src/go'), '');
    const shown = await supervisor.delegate('moves', contract());
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    const head = workshop.git('rev-parse', 'HEAD');
    const movement = `The source checkout is at ${head.slice(0, 12)}, with 1 commit(s) that the base`;
    expect(shown['risks'].join().includes(movement)).toBe(head !== base);
    const done = await supervisor.finalize(shown);
    expect(workshop.git('rev-parse', `${done['commit_hash']}^`)).toBe(base);
  });

  test('where it overlaps the scope pauses the task with both versions and the paths', async () => {
    const workshop = withWaitingWorker();
    const base = workshop.git('rev-parse', 'HEAD');
    const supervisor = await workshop.supervisor();
    const working = await supervisor.delegate('overlaps', contract(), { wait_timeout_seconds: 0 });
    workshop.write('src/x.ts', 'export const x = 9;\n');
    commitAll(workshop);
    const head = workshop.git('rev-parse', 'HEAD');
    writeFileSync(join(working['worktree'], 'src/go'), '');
    const paused = await supervisor.delegate('overlaps', contract());
    expect(paused).toMatchObject({
      state: 'paused',
      phase: 'source_collision',
      source_collision: { baseCommit: base, sourceHead: head, committedPaths: ['src/x.ts'] },
    });
    expect(paused['reason']).toContain(base.slice(0, 12));
    expect(paused['reason']).toContain(head.slice(0, 12));
    workshop.git('reset', '-q', '--hard', base);
    const tokens = { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
    expect(await supervisor.delegate('overlaps', contract(), tokens)).toMatchObject({ changed_files: ['src/x.ts'] });
  });
});

describe('a worker that plays with Git', () => {
  test('changes no branch, tag, stash or setting of the user, and its commits are no commits', async () => {
    const run = (...argv: string[]): Step => ({ do: 'run', argv });
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              run('git', 'add', '-A'),
              run('git', '-c', 'user.name=w', '-c', 'user.email=w@e', 'commit', '-qm', 'Mine'),
              run('git', 'tag', 'v1'),
              run('git', 'stash', '-u'),
              run('git', 'checkout', '-q', '-b', 'other'),
              run('git', 'update-ref', 'refs/heads/main', '0'.repeat(40)),
              run('git', 'config', 'user.name', 'Mallory'),
              run('git', 'worktree', 'prune'),
              EDIT,
            ],
          },
        ],
      },
    });
    const before = [
      workshop.fingerprint(),
      workshop.git('config', '--list', '--show-origin'),
      workshop.git('stash', 'list'),
    ];
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('plays', contract());
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    const done = await supervisor.finalize(shown);
    expect(workshop.git('rev-list', '--count', `main..${done['commit_hash']}`)).toBe('1');
    expect(workshop.git('branch', '--list').replaceAll(/[*+ ]/g, '').split('\n')).toEqual(['main', 'remit/plays']);
    expect([
      workshop.fingerprint(),
      workshop.git('config', '--list', '--show-origin'),
      workshop.git('stash', 'list'),
    ]).toEqual(before);
  });
});

test('what a worker that nothing confines changed in the repository is named in the review', async () => {
  const run = (...argv: string[]): Step => ({ do: 'run', argv });
  const identity = ['-c', 'user.name=w', '-c', 'user.email=w@e'];
  const workshop = makeWorkshop({
    configuration: { allowUnsandboxed: true },
    script: {
      prompts: [
        {
          steps: [
            EDIT,
            run('git', 'tag', 'v1'),
            run('git', 'update-ref', 'refs/heads/planted', 'HEAD'),
            run('git', 'config', 'user.name', 'Mallory'),
            run('git', ...identity, 'stash'),
            run('git', 'checkout', '-q', '-b', 'other'),
            EDIT,
            run('git', ...identity, 'commit', '-qam', 'Mine'),
          ],
        },
        { steps: [{ do: 'append', path: 'src/x.ts', content: '// more\n' }] },
      ],
    },
  });
  const bin = join(workshop.directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const environment = { ...workshop.environment, PATH: `${bin}:${workshop.environment['PATH']}` };
  const supervisor = await workshop.supervisor({ environment });
  const shown = await supervisor.delegate('free', contract());
  expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
  const [risk] = shown['risks'].filter((said: string) => said.startsWith('Changed in the repository'));
  for (const name of [
    'config',
    'refs/heads/other',
    'refs/heads/planted',
    'refs/stash',
    'refs/tags/v1',
    'worktrees/free/HEAD',
  ]) {
    expect(risk).toContain(name);
  }
  expect(risk).not.toMatch(/refs\/heads\/(main|remit)/);
  await supervisor.control('free', 'steer', { message: 'More' });
  const again = await supervisor.delegate('free', contract());
  expect(again['risks'].join()).toContain('refs/tags/v1');
  const done = await supervisor.finalize(again);
  expect(workshop.git('rev-list', '--count', `main..${done['commit_hash']}`)).toBe('1');
});

describe('a worktree that cannot be made', () => {
  test('for a registration that outlived its folder is refused with a safe next step, and nothing is left', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const folder = join(workshop.stateDirectory, 'worktrees/stale');
    mkdirSync(join(workshop.stateDirectory, 'worktrees'));
    workshop.git('worktree', 'add', '-q', '--detach', folder);
    rmSync(folder, { recursive: true });
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('stale', contract())).rejects.toMatchObject({
      code: 'ownership_ambiguous',
      message: expect.stringContaining('git worktree prune'),
    });
    expect(workshop.git('branch', '--list', 'remit/*')).toBe('');
    workshop.git('worktree', 'prune');
    expect((await supervisor.delegate('stale', contract()))['state']).toBe('review_required');
  });

  test('of a task whose folder somebody deleted is not made again, and another task can be begun', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('lost', contract());
    rmSync(shown['worktree'], { recursive: true });
    expect((await supervisor.delegate('lost', contract()))['state']).toBe('review_required');
    await expect(supervisor.control('lost', 'steer', { message: 'Once more' })).rejects.toMatchObject({
      code: 'ownership_ambiguous',
      message: expect.stringMatching(/worktree of task lost is gone: close the task and delegate a new one/),
    });
    await supervisor.control('lost', 'close');
    expect((await supervisor.delegate('lost', contract()))['state']).toBe('closed');
    expect((await supervisor.delegate('found', contract()))['state']).toBe('review_required');
  });
});
