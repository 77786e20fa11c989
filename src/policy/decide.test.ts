import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCredentialPath } from './credential-path.ts';
import { type Action, type ActionPath, decide, type PolicyRules, parseSimpleCommand } from './index.ts';

const rules: PolicyRules = {
  classifyPath: (path) => {
    if (path.startsWith('src/generated/')) return { kind: 'forbidden', pattern: 'src/generated/**' };
    return path.startsWith('src/') ? { kind: 'in_scope', pattern: 'src/**' } : { kind: 'outside' };
  },
  writeScope: ['src/**'],
  verification: [{ id: 'unit', argv: ['npm', 'test'], cwd: '' }],
  allowedCommands: [],
};

const inside = (path: string): ActionPath => ({ kind: 'inside', path });
const outside: ActionPath = { kind: 'outside', shown: '/etc/passwd' };
const lost: ActionPath = { kind: 'unresolvable', shown: 'loop/x', reason: 'too many links' };

describe('an action', () => {
  test.each<[string, Action, string]>([
    ['reading inside', { kind: 'read', paths: [inside('README.md')] }, 'allow'],
    ['searching inside', { kind: 'search', paths: [inside('')] }, 'allow'],
    ['reading a credential', { kind: 'read', paths: [inside('a'), inside('.env')] }, 'credential_path'],
    ['reading outside', { kind: 'read', paths: [inside('a'), outside] }, 'outside_worktree'],
    ['reading what cannot be resolved', { kind: 'read', paths: [lost] }, 'outside_worktree'],
    ['reading nothing that is named', { kind: 'read', paths: [] }, 'not_enough_information'],
    ['editing in scope', { kind: 'edit', paths: [inside('src/a')] }, 'allow'],
    ['editing outside the scope', { kind: 'edit', paths: [inside('docs/a')] }, 'out_of_scope'],
    ['editing a forbidden path', { kind: 'edit', paths: [inside('src/generated/a')] }, 'forbidden_scope'],
    [
      'editing several of which one is not in scope',
      { kind: 'edit', paths: [inside('src/a'), inside('b')] },
      'out_of_scope',
    ],
    ['editing outside the worktree', { kind: 'edit', paths: [outside] }, 'outside_worktree'],
    ['editing a credential in scope', { kind: 'edit', paths: [inside('src/.npmrc')] }, 'credential_path'],
    ['editing Git’s files', { kind: 'edit', paths: [inside('src/.GIT/hooks/x')] }, 'git_internals'],
    ['deleting in scope', { kind: 'delete', paths: [inside('src/a')] }, 'allow'],
    ['deleting nothing that is named', { kind: 'delete', paths: [] }, 'not_enough_information'],
    ['moving within the scope', { kind: 'move', paths: [inside('src/a'), inside('src/b')] }, 'allow'],
    ['moving out of the scope', { kind: 'move', paths: [inside('src/a'), inside('b')] }, 'out_of_scope'],
    ['moving to nowhere', { kind: 'move', paths: [inside('src/a')] }, 'not_enough_information'],
    ['thinking', { kind: 'think' }, 'allow'],
    ['fetching', { kind: 'fetch', target: 'https://example.test' }, 'network_fetch'],
    ['something unknown', { kind: 'other' }, 'ask'],
    ['running a command of the contract', { kind: 'execute', argv: ['npm', 'test'], cwd: inside('') }, 'allow'],
    [
      'running it from its text',
      { kind: 'execute', argv: undefined, cwd: inside(''), commandText: 'npm test' },
      'allow',
    ],
    [
      'running compound text',
      { kind: 'execute', argv: undefined, cwd: inside(''), commandText: 'npm test; id' },
      'not_static',
    ],
    ['running nothing that is named', { kind: 'execute', argv: undefined, cwd: inside('') }, 'not_static'],
    [
      'an argv and a text that differ',
      { kind: 'execute', argv: ['npm', 'test'], cwd: inside(''), commandText: 'npm start' },
      'command_mismatch',
    ],
    [
      'an argv beside a text of more',
      { kind: 'execute', argv: ['cat', 'a;', 'id'], cwd: inside(''), commandText: 'cat a; id' },
      'command_mismatch',
    ],
    ['running outside', { kind: 'execute', argv: ['npm', 'test'], cwd: outside }, 'outside_worktree'],
    [
      'running in a folder that cannot be resolved',
      { kind: 'execute', argv: ['npm', 'test'], cwd: lost },
      'outside_worktree',
    ],
  ])('%s', (_name, action, expected) => {
    const decision = decide(rules, action);
    expect(decision.kind === 'deny' ? decision.code : decision.kind).toBe(expected);
  });

  test('that is refused names its clause and what may be changed instead', () => {
    expect(decide(rules, { kind: 'edit', paths: [inside('src/generated/a')] })).toMatchObject({
      clause: expect.stringContaining('src/generated/**'),
      hint: expect.stringContaining('src/**'),
    });
  });
});

describe('shell text', () => {
  test.each<[string, string[]]>([
    ['npm test', ['npm', 'test']],
    ['  rg  \'a b\'\t"c d" ', ['rg', 'a b', 'c d']],
    ["cat 'it''s'", ['cat', 'its']],
    ['git log --format="%h %s" HEAD~1', ['git', 'log', '--format=%h %s', 'HEAD~1']],
    ["printf ''", ['printf', '']],
    ["rg 'a;b|c$d' src", ['rg', 'a;b|c$d', 'src']],
    ['git show HEAD:src/a.ts', ['git', 'show', 'HEAD:src/a.ts']],
    ["cat 'naïve.txt'", ['cat', 'naïve.txt']],
  ])('%j is one simple command', (text, argv) => {
    expect(parseSimpleCommand(text)).toEqual(argv);
  });

  test.each([
    '',
    ' ',
    'cat a; id',
    'cat a && id',
    'cat a | id',
    'cat a & id',
    'cat a $(id)',
    'cat a `id`',
    'cat <(id)',
    'cat a\nid',
    'cat a\rid',
    ['cat $', '{x@P}'].join(''),
    'cat $HOME',
    'cat "$HOME"',
    'cat "a`id`"',
    'git diff > src/x',
    'cat < a',
    'cd /elsewhere && cat x',
    'cat <<E\nx\nE',
    'cat “a b”',
    'cat ‘a’',
    'cat *.ts',
    'cat a?',
    'cat [a]',
    'cat {a,b}',
    'cat ~/x',
    'cat ~',
    'cat a=~/x',
    'FOO=1 npm test',
    'FOO="a b" npm test',
    'cat \\a',
    'cat "a\\"b"',
    "cat 'open",
    'cat "open',
    '# x',
    'cat a #b',
    '! cat a',
    'if true',
    'time npm test',
    '(id)',
    '{ id; }',
    'cat a\0b',
    'cat\u00a0a',
    'cat a\u2028id',
    'cat "a!b"',
    '=ls',
    'cat HEAD^',
    "cat $'a'",
    'cat \udc80',
    'x() { id; }',
    "''",
    "~'root'/x",
    'cat a\u000bb',
  ])('%j is none', (text) => {
    expect(parseSimpleCommand(text)).toBeUndefined();
  });

  test('of single-quoted words is read as exactly these words', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme' }).filter((word) => /^[^'\p{Cc}]+$/u.test(word)),
          { minLength: 1 },
        ),
        (words) => {
          const argv = ['rg', ...words];
          expect(parseSimpleCommand(argv.map((word) => `'${word}'`).join(' '))).toEqual(argv);
        },
      ),
    );
  });
});

describe('a credential’s name', () => {
  test.each([
    '.env',
    'a/.env.local',
    '.env.production',
    'id_rsa',
    '.ssh/known_hosts',
    'x/.aws/credentials',
    '.npmrc',
    '.netrc',
    'key.pem',
    '.git-credentials',
    '.docker/config.json',
    'credentials.json',
    'ID_RSA',
    '.Env',
    '.config/gcloud/x.db',
    '.git/config',
    'service-account-prod.json',
    'deploy.p12',
    'testdata/.env',
  ])('%s is one', (path) => {
    expect(isCredentialPath(path)).toBe(true);
  });

  test.each([
    '',
    'README.md',
    '.env.example',
    '.env.local.example',
    '.env.sample',
    'src/credentials.ts',
    'docs/key.md',
    'testdata/credentials.json',
    'id_rsa.pub',
    'env.ts',
    'src/env/index.ts',
    'test/fixtures/server.pem',
    'public.pem',
    'src/token.ts',
    'src/aws/config.ts',
    'password.ts',
    '.environment',
    'package.json',
  ])('%s is none', (path) => {
    expect(isCredentialPath(path)).toBe(false);
  });
});
