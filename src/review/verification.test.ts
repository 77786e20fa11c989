import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scanWorkspace, writeTree } from '../git/index.ts';
import { type Activity, openTaskWorkspace } from '../task/index.ts';
import { type IdleOptions, makeIdleTask, reviewAt } from './test-fixture.ts';
import { Testbeds } from './testbeds.ts';
import { verifyTree } from './verification.ts';

const criteria = [{ id: 'proven', requirement: 'The check passes', evidence: 'automated' }];

function commands(...scripts: string[]): Record<string, unknown> {
  return {
    acceptance_criteria: criteria,
    verification: scripts.map((_, at) => ({ id: `c${at}`, argv: ['sh', `checks/${at}.sh`], proves: ['proven'] })),
  };
}

function checks(...scripts: string[]): IdleOptions {
  const base = Object.fromEntries(scripts.map((script, at) => [`checks/${at}.sh`, `${script}\n`]));
  return { base, contract: commands(...scripts) };
}

async function reviewed(options: IdleOptions) {
  const idle = await makeIdleTask(options);
  onTestFinished(() => idle[Symbol.dispose]());
  idle.put('src/x.ts', 'export const x = 2;\n');
  symlinkSync('x.ts', join(idle.record.worktree, 'src/link.ts'));
  const { git } = idle.tools;
  const workspace = await openTaskWorkspace(idle.record, idle.tools);
  const { tree } = await writeTree(git, workspace, await scanWorkspace(git, workspace));
  const testbeds = new Testbeds(idle.tools);
  const verify = () => verifyTree(idle.record, reviewAt(tree), idle.tools, testbeds, new AbortController().signal);
  const shown: Activity[] = [];
  idle.tools.feed.listen(idle.record.task_id, (activity) => shown.push(activity));
  return { verify, shown };
}

describe('commands', () => {
  test('begin each with the tree’s own files, with what an earlier one built, and none with what an earlier verification built', async () => {
    const { verify } = await reviewed(
      checks(
        'test ! -e built && echo 1 > built && echo changed > a.txt && rm src/x.ts',
        'test -e built && grep -q a a.txt && grep -q "x = 2" src/x.ts',
      ),
    );
    for (const round of [1, 2]) {
      const { failures } = await verify();
      expect(failures, `round ${round}`).toMatchObject([
        { id: 'c0', exit_code: 0, what: expect.stringContaining('changed tracked files') },
      ]);
      expect(failures[0]?.what).toMatch(/a\.txt, src\/x\.ts$/);
    }
  });

  test('are shown line by line to who watches', async () => {
    const { verify, shown } = await reviewed(checks('echo one; echo two', 'exit 3'));
    await verify();
    const facts = shown.map(({ type, ...rest }) => [
      type,
      'line' in rest ? rest.line : 'outcome' in rest ? rest.outcome : 'id' in rest && rest.id,
    ]);
    expect(facts).toEqual([
      ['check_started', 'c0'],
      ['check_output', 'one'],
      ['check_output', 'two'],
      ['check_ended', 'passed'],
      ['check_started', 'c1'],
      ['check_ended', 'exited with 3'],
    ]);
  });

  test('are not blamed for what the scanner changed', async () => {
    const options = checks('grep -qx a a.txt');
    const { verify } = await reviewed({ ...options, secretScannerArgv: ['sh', '-c', 'echo scanned > a.txt'] });
    expect((await verify()).failures).toEqual([]);
  });
});

describe("the operator's scanner", () => {
  test.each([
    ['found something', ['sh', '-c', 'exit 3'], 'secret_detected', /exit code 3/],
    ['is not there', ['no-such-scanner'], 'invalid_request', /Setting secretScannerArgv: its program is not there/],
    [
      'was killed',
      ['sh', '-c', 'kill -9 $$'],
      'invalid_request',
      /Setting secretScannerArgv: it was killed by SIGKILL/,
    ],
  ])('that %s is told as such', async (_how, secretScannerArgv, code, message) => {
    const { verify } = await reviewed({ secretScannerArgv });
    await expect(verify()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('file assertions are compared with the blobs of the tree; a link is no file', async () => {
  const assertion = (id: string, path: string, expected_utf8: string) => ({
    id,
    path,
    expected_utf8,
    proves: ['proven'],
  });
  const { verify } = await reviewed({
    base: { 'src/y.ts': 'y\n' },
    contract: {
      acceptance_criteria: criteria,
      file_assertions: [
        assertion('same', 'src/x.ts', 'export const x = 2;\n'),
        assertion('differs', 'src/y.ts', 'b\n'),
        assertion('linked', 'src/link.ts', 'x.ts'),
        assertion('absent', 'src/none.ts', ''),
      ],
    },
  });
  const { assertions, failures } = await verify();
  expect(assertions.map(({ id, passed, outputBytes }) => [id, passed, outputBytes])).toEqual([
    ['same', true, 20],
    ['differs', false, 2],
    ['linked', false, undefined],
    ['absent', false, undefined],
  ]);
  expect(failures.map(({ id }) => id)).toEqual(['differs', 'linked', 'absent']);
});
