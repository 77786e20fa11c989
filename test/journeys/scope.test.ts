import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };

describe('only what is in scope is taken', () => {
  test('changes outside beside work in scope are named and left out', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              { do: 'write', path: 'package.json', content: '{}' },
              { do: 'append', path: 'a.txt', content: 'beta\n' },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('beside', contract());
    expect(shown['changed_files']).toEqual(['src/x.ts']);
    expect(shown['risks'].join('\n')).toMatch(/outside the write scope.*a\.txt, package\.json/);
    const done = await supervisor.finalize(shown);
    expect(workshop.git('show', '--name-only', '--format=', done['commit_hash'])).toBe('src/x.ts');
  });

  test('only changes outside, or none, pause the task with the paths', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'append', path: 'a.txt', content: 'beta\n' }] }] },
    });
    const supervisor = await workshop.supervisor();
    expect(await supervisor.delegate('outside', contract())).toMatchObject({
      state: 'paused',
      phase: 'no_change_in_scope',
      reason: expect.stringContaining('a.txt'),
    });
  });

  test('an ignore file of the worker hides nothing', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              { do: 'write', path: 'secretdir/.gitignore', content: '*\n' },
              { do: 'write', path: 'secretdir/outside.txt', content: '1' },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    expect((await supervisor.delegate('hidden', contract()))['risks'].join()).toContain('secretdir/outside.txt');
  });

  test('an in-scope file that the repository ignores is named and not committed', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { do: 'write', path: 'dist/app.js', content: '1' },
              { do: 'write', path: 'dist2/b.js', content: '1' },
            ],
          },
        ],
      },
    });
    workshop.write('.gitignore', 'dist/\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Ignore');
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('ignored', contract({ write_scope: ['dist/**', 'dist2/**'] }));
    expect(shown['changed_files']).toEqual(['dist2/b.js']);
    expect(shown['risks'].join()).toContain('dist/app.js');
    await supervisor.finalize(shown);
    expect(await supervisor.delegate('only', contract({ write_scope: ['dist/**'] }))).toMatchObject({
      state: 'paused',
      phase: 'no_change_in_scope',
      reason: expect.stringMatching(/is ignored by the repository, so it is never committed: dist\/app\.js/),
    });
  });

  test('an edit that is asked for outside the scope is denied with the clause, and the third time pauses', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'append', path: 'a.txt', content: 'beta\n', ask: true, times: 5 }, EDIT] }] },
    });
    const supervisor = await workshop.supervisor();
    expect(await supervisor.delegate('denied', contract())).toMatchObject({
      state: 'paused',
      phase: 'denied_repeatedly',
      reason: expect.stringMatching(/no pattern of write_scope covers a\.txt: .*src\/\*\*/),
    });
  });
});

describe('what may not be taken pauses the task', () => {
  const token = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LmNbVc'].join('_');
  const rows: [string, Step[], string][] = [
    ['a link out of the tree', [{ do: 'symlink', path: 'src/p', target: '/etc/passwd' }], 'link_out_of_tree'],
    ['a link above the root', [{ do: 'symlink', path: 'src/p', target: '../../outside' }], 'link_out_of_tree'],
    ['a link into the forbidden scope', [{ do: 'symlink', path: 'src/p', target: 'auth/key.ts' }], 'link_out_of_tree'],
    [
      'a credential',
      [{ do: 'write', path: 'src/x.ts', content: `export const token = '${token}';\n` }],
      'secret_detected',
    ],
    [
      'a nested repository',
      [
        EDIT,
        { do: 'run', argv: ['git', 'init', '-q', 'src/nested'] },
        { do: 'write', path: 'src/nested/f', content: '1' },
      ],
      'nested_repository',
    ],
    ['a pipe', [EDIT, { do: 'run', argv: ['mkfifo', 'src/pipe'] }], 'unsupported_file'],
    ['a file of 11 MiB', [{ do: 'run', argv: ['truncate', '-s', '11M', 'src/big'] }], 'file_too_large'],
  ];
  test.each(rows)('%s', async (name, steps, phase) => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps }] } });
    const supervisor = await workshop.supervisor();
    const paused = await supervisor.delegate('refused', contract({ forbidden_scope: ['src/auth/**'] }));
    expect([name, paused['state'], paused['phase']]).toEqual([name, 'paused', phase]);
    expect(JSON.stringify(paused)).not.toContain(token);
  });

  test('a link inside the tree is fine', async () => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'symlink', path: 'src/p', target: '../a.txt' }] }] },
    });
    const supervisor = await workshop.supervisor();
    expect((await supervisor.delegate('link', contract()))['changed_files']).toEqual(['src/p']);
  });
});

describe('verification sees the reviewed tree and nothing else', () => {
  test('a check that passes only because of an ignored or out-of-scope file fails', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              EDIT,
              { do: 'write', path: 'helper.txt', content: '1' },
              { do: 'write', path: 'build/helper.txt', content: '1' },
            ],
          },
        ],
      },
    });
    workshop.write('.gitignore', 'build/\n');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Ignore');
    const supervisor = await workshop.supervisor();
    for (const [task, file] of [
      ['outside', 'helper.txt'],
      ['ignored', 'build/helper.txt'],
    ] as const) {
      const shown = await supervisor.delegate(task, contract(provenBy('test', '-f', file)));
      expect(existsSync(join(shown['worktree'], file))).toBe(true);
      await expect(supervisor.finalize(shown)).rejects.toMatchObject({ code: 'verification_failed' });
      await supervisor.control(task, 'close');
    }
  });

  test('a worker that swaps files during verification changes neither the result nor the commit', async () => {
    const workshop = makeWorkshop({
      script: {
        cancel: 'ignore',
        prompts: [
          {
            steps: [
              EDIT,
              {
                do: 'run',
                argv: [
                  'sh',
                  '-c',
                  '(while :; do echo bad > src/x.ts; sleep 0.02; done) >/dev/null 2>&1 & sleep 0.01; echo "export const x = 2;" > src/x.ts',
                ],
              },
            ],
          },
        ],
      },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('swap', contract(provenBy('test', '-f', 'src/x.ts')));
    if (shown['state'] === 'review_required') {
      const done = await supervisor.finalize(shown);
      expect(workshop.git('rev-parse', `${done['commit_hash']}^{tree}`)).toBe(shown['review_tree_hash']);
    } else {
      expect(shown).toMatchObject({ state: 'paused', phase: 'unstable_work' });
    }
  });

  test('a check that rewrites tracked files did not verify the reviewed tree', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write('fix.sh', '#!/bin/sh\necho fixed > a.txt\necho made > by-product.txt\n');
    workshop.git('add', '.');
    workshop.git('update-index', '--chmod=+x', 'fix.sh');
    workshop.git('commit', '-qm', 'Fix');
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('rewrites', contract(provenBy('./fix.sh')));
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({
      code: 'verification_failed',
      message: expect.stringContaining('a.txt'),
    });
  });

  test('a program that is nowhere is the fault of the contract, one that a script misses of the environment', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write('run.sh', '#!/bin/sh\nno-such-tool\n');
    workshop.git('add', '.');
    workshop.git('update-index', '--chmod=+x', 'run.sh');
    workshop.git('commit', '-qm', 'Run');
    const supervisor = await workshop.supervisor();
    const nowhere = await supervisor.delegate('nowhere', contract(provenBy('pytesst')));
    await expect(supervisor.finalize(nowhere)).rejects.toMatchObject({
      code: 'verification_failed',
      message: expect.stringMatching(/pytesst is not there.*delegate a corrected contract/),
    });
    await supervisor.control('nowhere', 'close');
    const lacking = await supervisor.delegate('lacking', contract(provenBy('./run.sh')));
    await expect(supervisor.finalize(lacking)).rejects.toMatchObject({
      message: expect.stringMatching(/exited with 127.*not committed are not there/),
      error: { details: { failures: [{ fault: 'environment' }] } },
    });
  });

  test('a check whose cwd a link leads out of the tree does not run', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.git('config', 'core.symlinks', 'true');
    symlinkSync('/usr/share', join(workshop.repository, 'sub'));
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Link');
    const supervisor = await workshop.supervisor();
    const proven = provenBy('pwd');
    const shown = await supervisor.delegate(
      'cwd',
      contract({ ...proven, verification: [{ id: 'check', argv: ['pwd'], cwd: 'sub', proves: ['proven'] }] }),
    );
    await expect(supervisor.finalize(shown)).rejects.toMatchObject({
      code: 'verification_failed',
      message: expect.stringContaining('cwd'),
    });
  });

  test('a check that leaves folders too deep to name ends its own task only', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const deep = `for (let n = 0; n < 60; n += 1) {\n  fs.mkdirSync('d'.repeat(200));\n  process.chdir('d'.repeat(200));\n}\n`;
    workshop.write('deep.cjs', `const fs = require('node:fs');\n${deep}process.exit(Number(process.argv[2]));\n`);
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Deep');
    const supervisor = await workshop.supervisor();
    const failing = await supervisor.delegate('deep', contract(provenBy('node', 'deep.cjs', '1')));
    await expect(supervisor.finalize(failing)).rejects.toMatchObject({ code: 'verification_failed' });
    await expect(supervisor.finalize(failing)).rejects.toMatchObject({ code: 'verification_failed' });
    await supervisor.control('deep', 'close');
    const passing = await supervisor.delegate('deeper', contract(provenBy('node', 'deep.cjs', '0')));
    expect((await supervisor.finalize(passing))['state']).toBe('completed');
    expect((await supervisor.inspect('deeper'))['sections'].status.state).toBe('completed');
  });

  test('a check reaches no port of the host, only its own loopback', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write(
      'reach.mjs',
      `import net from 'node:net';
const reaches = (port) => new Promise((resolve) => net.connect(port, '127.0.0.1').on('connect', () => resolve(true)).on('error', () => resolve(false)));
const own = net.createServer().listen(0, '127.0.0.1', async () => {
  const result = [await reaches(own.address().port), await reaches(Number(process.argv[2]))];
  console.log(result.join());
  process.exit(result.join() === 'true,false' ? 0 : 1);
});\n`,
    );
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Reach');
    const listener = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      listener.close();
    });
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('reach', contract(provenBy('node', 'reach.mjs', String(port))));
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
  });

  test('a check has an empty stdin, a writable home and none of the secrets of the host', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    workshop.write(
      'look.sh',
      '#!/bin/sh\nmkdir -p "$HOME/.cache/x" || exit 3\nif read line; then exit 4; fi\ntr "\\0" "\\n" < /proc/1/environ; env; ls /proc/1/fd >/dev/null; grep -rl FAKE_TOKEN_VALUE /proc/*/environ 2>/dev/null && exit 5\n[ "$CI" = 1 ] || exit 6\nexit 0\n',
    );
    workshop.git('add', '.');
    workshop.git('update-index', '--chmod=+x', 'look.sh');
    workshop.git('commit', '-qm', 'Look');
    const supervisor = await workshop.supervisor({
      environment: { ...workshop.environment, FAKE_TOKEN: 'FAKE_TOKEN_VALUE' },
    });
    const shown = await supervisor.delegate('clean', contract(provenBy('./look.sh')));
    expect((await supervisor.finalize(shown))['state']).toBe('completed');
    const { sections } = await supervisor.inspect('clean', { include: ['verification'] });
    expect(readFileSync(sections.verification[0].logPath, 'utf8')).not.toContain('FAKE_TOKEN_VALUE');
  });
});

describe('the worker is confined from the start', () => {
  test('it can write its worktree, not the checkout, the home, the Git folder or the state of Remit', async () => {
    const workshop = makeWorkshop();
    const targets = {
      checkout: join(workshop.repository, 'a.txt'),
      git: join(workshop.repository, '.git/config'),
      home: join(workshop.home, 'planted'),
      state: join(workshop.stateDirectory, 'planted'),
      pointer: '.git',
    };
    workshop.useScript({
      prompts: [
        {
          steps: [
            EDIT,
            ...Object.values(targets).map((path): Step => ({ do: 'write', path, content: 'worker was here' })),
          ],
        },
      ],
    });
    const before = workshop.fingerprint();
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('confined', contract());
    expect(shown['changed_files']).toEqual(['src/x.ts']);
    expect(workshop.fingerprint()).toBe(before);
    expect([targets.home, targets.state].filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync(join(shown['worktree'], '.git'), 'utf8')).toMatch(/^gitdir: /);
  });
});
