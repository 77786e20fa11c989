import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from './exit-codes.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function remit(words: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8', input: '', timeout: 30_000, cwd: tmpdir() });
}

describe('an error', () => {
  test.each([
    [['contract', 'lint', 'no such file', '--json'], 'cannot read no such file'],
    [['contract', 'lint', '--json'], 'name one contract'],
    [['contract', 'lint', '--json', '--nonsense'], "unknown option '--nonsense'"],
    [['nonsense', '--json'], "unknown command 'nonsense'"],
  ])('of %j is the error object of the wire, alone on standard error', (words, message) => {
    const { status, stdout, stderr } = remit(words);
    expect([status, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'invalid_request',
        message: expect.stringContaining(message),
        retryable: false,
        next_action: 'fix_request',
      },
    });
  });

  test.each([
    [['contract', 'lint', 'no such file'], /^remit: cannot read no such file: .*\n$/],
    [['contract', 'lint', '--', '--json'], /^remit: cannot read --json: .*\n$/],
    [[], /^Usage: remit /],
    [['contract'], /^Usage: remit contract /],
  ])('of %j is one message for people', (words, message) => {
    const { status, stdout, stderr } = remit(words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('in a folder that is gone is told without where it arose', () => {
    const command = 'mkdir gone-$$ && cd gone-$$ && rmdir ../gone-$$ && exec "$@"';
    const words = [process.execPath, MAIN, 'run', MAIN];
    const { status, stderr } = spawnSync('sh', ['-c', command, 'sh', ...words], { encoding: 'utf8', cwd: tmpdir() });
    expect([status, stderr]).toEqual([2, 'remit: the folder that you are in is gone: change to another one\n']);
  });

  test('is told apart by how the process ends', () => {
    expect(
      (
        ['invalid_contract', 'task_not_found', 'verification_failed', 'sandbox_unavailable', 'internal_error'] as const
      ).map(exitCodeOf),
    ).toEqual([2, 2, 5, 6, 1]);
  });
});
