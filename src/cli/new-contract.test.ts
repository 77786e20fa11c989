import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { contractInputSchema, lintContract } from '../contract/index.ts';
import { parseCommentedJson } from './commented-json.ts';
import { newContract, withComments } from './new-contract.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function folder(...files: string[]): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-new-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of files) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), '');
  }
  return directory;
}

function git(cwd: string, ...words: string[]): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false'];
  const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

function contractNew(cwd: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'contract', 'new'],
    { cwd, encoding: 'utf8', timeout: 30_000, env: { PATH: process.env['PATH'] ?? '' } },
  );
  return { status, scope: (parseCommentedJson(stdout) as { write_scope: string[] }).write_scope, err: stderr };
}

test.each([[['src/x.ts', 'Cargo.toml']], [[]]])(
  'every field stands in the template of a folder with %j, and those in comments are valid when they are taken in',
  (files) => {
    const template = withComments(newContract(folder(...files)));
    const filled = template.replaceAll('Replace this: what', 'What');
    const complete = parseCommentedJson(filled.replaceAll(/^ {2}\/\/ (?=[ "\]}])/gm, '  '));
    expect(Object.keys(complete as object)).toEqual(Object.keys(contractInputSchema.shape));
    for (const contract of [complete, parseCommentedJson(filled)])
      expect(lintContract(contract)).toMatchObject({ ok: true });
  },
);

test('the scope of a Go module holds the package in its root', () => {
  expect(newContract(folder('go.mod', 'x.go', 'internal/y.go'))).toMatchObject({
    write_scope: ['internal/**', '*.go'],
  });
  expect(newContract(folder('go.mod', 'internal/y.go'))).toMatchObject({ write_scope: ['internal/**'] });
  expect(newContract(folder('go.mod', 'x.go'))).toMatchObject({ write_scope: ['**'] });
});

test('a template is no contract before its sentences are replaced', () => {
  const result = lintContract(newContract(folder('go.mod')));
  expect(result.ok ? [] : result.problems.map(({ path }) => path)).toEqual(['objective', 'user_outcome']);
});

test('outside a repository, before the first commit and below the root a person is told what matters there', () => {
  const root = folder('src/deep/x.ts', 'src/app/y.ts');
  const told = (text: string) => expect.stringMatching(new RegExp(`^remit: [^\n]*${text}[^\n]*\n$`));
  expect(contractNew(root)).toEqual({ status: 0, scope: ['src/**'], err: told('is not in a Git repository') });
  expect(contractNew(root).err).not.toContain('parent directories');
  git(root, 'init', '-q');
  expect(contractNew(root)).toMatchObject({ status: 0, err: told('no commit yet') });
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'First');
  expect(contractNew(root)).toEqual({ status: 0, scope: ['src/**'], err: '' });
  const below = contractNew(join(root, 'src/deep'));
  expect(below).toEqual({ status: 0, scope: ['src/**'], err: told('path_base "repository"') });
});
