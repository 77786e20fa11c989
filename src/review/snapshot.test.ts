import { describe, expect, onTestFinished, test } from 'vitest';
import { takeSnapshot } from './snapshot.ts';
import { type Idle, type IdleOptions, makeIdleTask } from './test-fixture.ts';

const TOKEN = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LmNbVc'].join('_');

async function idleTask(options: IdleOptions = {}): Promise<Idle> {
  const idle = await makeIdleTask(options);
  onTestFinished(() => idle[Symbol.dispose]());
  return idle;
}

async function reviewable(idle: Idle) {
  const verdict = await takeSnapshot(idle.record, idle.tools);
  if (verdict.kind !== 'reviewable') throw new Error(JSON.stringify(verdict));
  return verdict.review;
}

describe('a credential', () => {
  test('that the base has in the same file stops no edit of that file, a new one does', async () => {
    const idle = await idleTask({ base: { 'src/fixture.ts': `const t = '${TOKEN}';\n` } });
    idle.put('src/fixture.ts', `// edited\nconst t = '${TOKEN}';\n`);
    expect((await reviewable(idle)).changed_files).toEqual(['src/fixture.ts']);
    idle.put('src/copy.ts', `const t = '${TOKEN}';\n`);
    expect(await takeSnapshot(idle.record, idle.tools)).toMatchObject({
      kind: 'refused',
      phase: 'secret_detected',
      paths: ['src/copy.ts:1 (github)'],
    });
  });
});

describe('a diff that is too long to be shown', () => {
  const line = `${'a line of a file '.repeat(20)}\n`;

  test('is told with its size and digest, and that only a part was searched for hidden characters', async () => {
    const idle = await idleTask();
    for (const name of ['a', 'b', 'c', 'd']) idle.put(`src/${name}.txt`, line.repeat(30_000));
    idle.put('src/b.txt', `${line.repeat(29_000)}\u202e\n`);
    const { risks, diff_bytes, diff_sha256 } = await reviewable(idle);
    expect(risks).toContainEqual(expect.stringContaining(`${diff_bytes} bytes (SHA-256 ${diff_sha256})`));
    expect(risks).toContainEqual(expect.stringMatching(/Only the part .* searched/));
  });
});

test.each([
  ['added', 'a\u202eb\n', true],
  ['in a line that ends in a carriage return', 'a\u200bb\r\n', true],
  ['none but carriage returns at the end', 'a\r\n'.repeat(100), false],
])('hidden characters are told: %s', async (_where, content, told) => {
  const idle = await idleTask();
  idle.put('src/far.txt', `${'plain\n'.repeat(100_000)}${content}`);
  const { risks } = await reviewable(idle);
  expect(risks.some((risk) => risk.includes('invisible characters; they are shown escaped'))).toBe(told);
});

test('a diff stat holds no text of the work', async () => {
  const idle = await idleTask();
  idle.put('src/x.ts', 'export const x = 2;\n');
  expect((await reviewable(idle)).diff_stat).toBe(' src/x.ts | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n');
});
