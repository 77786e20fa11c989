import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeReviewReport, type Observation } from './index.ts';
import { created, deleted, numbered, report, wrote } from './test-fixture.ts';

/** The real programs: what is read out of their outputs must be what they print. */

let worktree = '';
const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C',
};

function ran(...argv: string[]): Observation {
  const [program = '', ...args] = argv;
  const { status, stdout } = spawnSync(program, args, { cwd: worktree, env: environment, encoding: 'utf8' });
  const stdout_bytes = Buffer.byteLength(stdout);
  return { kind: 'command', argv, cwd: '', exit_code: status, stdout, stdout_bytes, truncated: false };
}

function write(path: string, content: string | Buffer) {
  writeFileSync(join(worktree, path), content);
}

const odd = 'src/f\u00fcr "b".txt';

beforeAll(() => {
  worktree = mkdtempSync(join(tmpdir(), 'remit-evidence-'));
  mkdirSync(join(worktree, 'src'));
  for (const path of ['src/a.txt', 'src/gone.txt', odd, 'two words', 'mode.sh']) write(path, numbered(20));
  write('src/old.txt', numbered(20).replaceAll('line', 'moved'));
  write('picture', Buffer.from([0, 1, 2]));
  ran('git', 'init', '-q');
  ran('git', 'add', '-A');
  ran('git', '-c', 'user.name=T', '-c', 'user.email=t@example.test', 'commit', '-qm', 'base');
  const changed = numbered(20).replace('line 12\n', 'twelve\n');
  for (const path of ['src/a.txt', odd, 'two words']) write(path, changed);
  write('base.txt', numbered(20));
  write('new.txt', numbered(20));
  write('picture', Buffer.from([0, 3, 4]));
  chmodSync(join(worktree, 'mode.sh'), 0o755);
  rmSync(join(worktree, 'src/gone.txt'));
  renameSync(join(worktree, 'src/old.txt'), join(worktree, 'src/renamed.txt'));
});

afterAll(() => rmSync(worktree, { recursive: true }));

const line12 = (path: string) => wrote(path, '12', { total_lines: 20 });

function counts(change: Observation & { path: string }, ...argv: string[]): boolean {
  return judgeReviewReport(report([change.path]), [change, ran(...argv)], worktree).kind === 'accepted';
}

describe('a change is seen in the output of', () => {
  test.each<[string, Observation & { path: string }, string[]]>([
    ['cat', line12('src/a.txt'), ['cat', '-A', 'src/a.txt']],
    ['head', line12('src/a.txt'), ['head', '-n', '12', 'src/a.txt']],
    ['head -c', line12('src/a.txt'), ['head', '-c', '90', 'src/a.txt']],
    ['tail', line12('src/a.txt'), ['tail', '-9', 'src/a.txt']],
    ['tail -n +K', line12('src/a.txt'), ['tail', '-n', '+12', 'src/a.txt']],
    ['diff', line12('src/a.txt'), ['diff', 'base.txt', 'src/a.txt']],
    ['diff -u', line12('src/a.txt'), ['diff', '-u', 'src/a.txt', 'base.txt']],
    ['cmp', line12('src/a.txt'), ['cmp', 'base.txt', 'src/a.txt']],
    ['git diff', line12('src/a.txt'), ['git', 'diff']],
    ['git diff HEAD -U0', line12('src/a.txt'), ['git', '--no-pager', 'diff', '-U0', 'HEAD', '--', 'src']],
    ['git diff of a quoted name', line12(odd), ['git', 'diff']],
    ['git diff of a name with a blank', line12('two words'), ['git', 'diff', 'HEAD']],
    ['git diff of a mode', wrote('mode.sh', '', { total_lines: 20 }), ['git', 'diff']],
    ['git diff of a deletion', deleted('src/gone.txt'), ['git', 'diff', 'HEAD', '--', 'src/gone.txt']],
    ['git show of a deletion', deleted('src/gone.txt'), ['git', 'show', 'HEAD:src/gone.txt']],
    ['git diff of a moved file’s old name', deleted('src/old.txt'), ['git', 'diff', 'HEAD']],
  ])('%s', (_name, change, argv) => {
    expect(counts(change, ...argv)).toBe(true);
  });
});

describe('a change is not seen in the output of', () => {
  test.each<[string, Observation & { path: string }, string[]]>([
    ['head that ends before', line12('src/a.txt'), ['head', '-n', '11', 'src/a.txt']],
    ['tail that begins behind', line12('src/a.txt'), ['tail', '-n', '8', 'src/a.txt']],
    ['diff -q', line12('src/a.txt'), ['diff', '-q', 'base.txt', 'src/a.txt']],
    ['diff of another file', line12('src/a.txt'), ['diff', 'base.txt', 'two words']],
    ['git diff --stat', line12('src/a.txt'), ['git', 'diff', '--stat']],
    ['git diff --cached', line12('src/a.txt'), ['git', 'diff', '--cached']],
    ['git diff of another path', line12('src/a.txt'), ['git', 'diff', '--', 'two words']],
    ['git diff, of an untracked file', created('new.txt', 20), ['git', 'diff', 'HEAD']],
    ['git diff, of the new name of a moved file', created('src/renamed.txt', 20), ['git', 'diff', 'HEAD']],
    ['git diff, of binary content', wrote('picture', '1', { total_lines: 1 }), ['git', 'diff']],
    ['git show of what is there still', line12('src/a.txt'), ['git', 'show', 'HEAD:src/a.txt']],
    ['cat of a deleted file', deleted('src/gone.txt'), ['cat', 'src/gone.txt']],
  ])('%s', (_name, change, argv) => {
    expect(counts(change, ...argv)).toBe(false);
  });

  test('git diff HEAD, of the new name of a move that Git knows', () => {
    ran('git', 'add', '-A', '--', 'src/old.txt', 'src/renamed.txt');
    const seen = ran('git', 'diff', 'HEAD');
    expect(seen).toMatchObject({ stdout: expect.stringContaining('rename from src/old.txt') });
    const moved = (path: string, change: Observation) =>
      judgeReviewReport(report([path]), [change, seen], worktree).kind;
    expect(moved('src/renamed.txt', created('src/renamed.txt', 20))).toBe('refused');
    expect(moved('src/old.txt', deleted('src/old.txt'))).toBe('accepted');
  });
});
