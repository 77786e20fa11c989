import { describe, expect, test } from 'vitest';
import { type CompleteStep, completeStepSchema, judgeCompleteStep, type Observation } from './index.ts';
import { created, numbered, ran, read, wrote } from './test-fixture.ts';

type Evidence = CompleteStep['evidence'][number];

function judge(ledger: readonly Observation[], ...evidence: Evidence[]) {
  return judgeCompleteStep({ step: '1', result: 'done', evidence }, ledger, '/work/tree');
}

const summary = 'seen';
const verification = (command?: string): Evidence => ({
  kind: 'verification',
  summary,
  ...(command === undefined ? {} : { command }),
});
const diff = (...paths: string[]): Evidence => ({ kind: 'diff', summary, paths });
const files = (...paths: string[]): Evidence => ({ kind: 'files', summary, paths });
const passed = ran('npm test', 'ok\n');
const failed = ran('npm test', 'no\n', { exit_code: 1 });

describe('a step is accepted with', () => {
  test.each<[string, Observation[], Evidence[]]>([
    ['a command that passed after the latest write', [wrote('a', '1'), passed], [verification('npm test')]],
    ['a command that passed where nothing was written', [passed], [verification('npm test')]],
    ['a command without output', [ran('npm test', '')], [verification('npm test')]],
    [
      'a command quoted in another way',
      [ran('x', '', { argv: ['node', '-e', 'a b'] })],
      [verification('node  -e "a b"')],
    ],
    ['a command that failed and then passed', [failed, passed], [verification('npm test')]],
    ['the diff of a written path', [wrote('a', '1')], [diff('a')]],
    ['a diff named by ./p and by an absolute path', [wrote('a', '1')], [diff('./a', '/work/tree/a')]],
    ['a written file', [created('a')], [files('a')]],
    ['a read file', [read('a', '1')], [files('a')]],
    ['a file that a command printed', [ran('cat a', numbered(2))], [files('a')]],
  ])('%s', (_name, ledger, evidence) => {
    expect(judge(ledger, ...evidence)).toEqual({ kind: 'accepted', unverified: 0 });
  });

  test('manual evidence, which counts as unverified', () => {
    const manual: Evidence = { kind: 'manual', summary };
    expect(judge([wrote('a', '1')], manual, diff('a'), manual)).toEqual({ kind: 'accepted', unverified: 2 });
  });
});

describe('a step is refused, by the field at fault, with', () => {
  test.each<[string, Observation[], Evidence, string]>([
    ['no command', [passed], verification(), 'evidence[0].command'],
    ['a command that did not run', [passed], verification('npm run lint'), 'evidence[0].command'],
    ['a command that failed', [failed], verification('npm test'), 'evidence[0].command'],
    ['a command that passed and then failed', [passed, failed], verification('npm test'), 'evidence[0].command'],
    [
      'a command that was ended',
      [ran('npm test', '', { exit_code: null })],
      verification('npm test'),
      'evidence[0].command',
    ],
    ['a command before the latest write', [passed, wrote('a', '1')], verification('npm test'), 'evidence[0].command'],
    ['a diff without paths', [wrote('a', '1')], diff(), 'evidence[0].paths'],
    ['a diff of a path that was only read', [read('a', '1')], diff('a'), 'evidence[0].paths[0]'],
    ['a diff with one path of two written', [wrote('a', '1')], diff('a', 'b'), 'evidence[0].paths[1]'],
    ['a diff by a bare name', [wrote('src/a', '1')], diff('a'), 'evidence[0].paths[0]'],
    ['files without paths', [wrote('a', '1')], files(), 'evidence[0].paths'],
    ['a file neither read nor written', [wrote('a', '1')], files('b'), 'evidence[0].paths[0]'],
    ['a file outside the worktree', [read('a', '1')], files('/elsewhere/a'), 'evidence[0].paths[0]'],
    ['a file that a failed command named', [ran('cat a', 'x\n', { exit_code: 1 })], files('a'), 'evidence[0].paths[0]'],
  ])('%s', (_name, ledger, evidence, field) => {
    const verdict = judge(ledger, evidence);
    expect(verdict).toMatchObject({ kind: 'refused', problems: [{ field }] });
  });

  test('each piece of evidence that does not hold', () => {
    const verdict = judge([wrote('a', '1')], diff('a'), files('b'), verification('npm test'));
    expect(verdict).toMatchObject({
      kind: 'refused',
      problems: [
        { field: 'evidence[1].paths[0]', call: { tool: 'read_file', arguments: { path: 'b' } } },
        { field: 'evidence[2].command', call: { tool: 'bash', arguments: { command: 'npm test' } } },
      ],
    });
  });
});

test('a step without evidence has not the shape of one', () => {
  expect(completeStepSchema.safeParse({ step: '1', result: 'done', evidence: [] }).success).toBe(false);
});
