import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { plainRun } from './index.ts';

/** A repository with a changed file whose configuration names a program for everything that can have one. */
function hostileRepository(): string {
  const root = mkdtempSync(join(tmpdir(), 'remit-plain-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  git('init', '-q');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(join(root, '.gitattributes'), '*.txt diff=lies\n');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.test', 'commit', '-qm', 'one');
  writeFileSync(join(root, 'a.txt'), 'two\n');
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\ntouch ran\necho lie\n', { mode: 0o755 });
  const program = join(root, 'run.sh');
  for (const name of ['diff.external', 'core.fsmonitor', 'diff.lies.textconv', 'diff.lies.command', 'core.pager'])
    git('config', name, program);
  for (const [name, value] of [
    ['color.diff', 'always'],
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['core.hooksPath', '.'],
  ] as const)
    git('config', name, value);
  return root;
}

function run(root: string, argv: readonly string[]): string {
  const { argv: [program = '', ...args] = [], environment } = plainRun(argv);
  return execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: root, ...environment },
  });
}

test.each([[['git', 'diff']], [['git', '--no-pager', 'diff', 'HEAD', '--', 'a.txt']]])(
  '%j shows what Git itself sees, whatever the repository’s configuration names',
  (argv) => {
    const root = hostileRepository();
    const shown = run(root, argv);
    expect(shown).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
    expect(shown).toContain('\n-one\n+two\n');
    expect(existsSync(join(root, 'ran'))).toBe(false);
  },
);

test.each([
  [['git', 'status', '--short'], ' M a.txt'],
  [['git', 'show', 'HEAD:a.txt'], 'one'],
  [['git', 'log', '-p'], '+one'],
  [['git', '--version'], 'git version'],
  [['cat', 'a.txt'], 'two'],
])('%j runs none of its programs either', (argv, shown) => {
  const root = hostileRepository();
  expect(run(root, argv)).toContain(shown);
  expect(existsSync(join(root, 'ran'))).toBe(false);
});

test('the repository is one that would run them', () => {
  const root = hostileRepository();
  execFileSync('git', ['diff'], { cwd: root, stdio: 'pipe' });
  expect(existsSync(join(root, 'ran'))).toBe(true);
  expect(readFileSync(join(root, '.git/config'), 'utf8')).toContain('fsmonitor');
});
