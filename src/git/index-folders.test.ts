import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSourceState } from './index.ts';
import { type Fixture, makeFixture } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture[Symbol.dispose]());

test('a folder that came into the index since the last look is looked into', async () => {
  const { git, repository } = await fixture.repository();
  expect(await readSourceState(git, repository, repository.head)).toMatchObject({ dirtyPaths: [] });
  fixture.write('new/y.ts', '1');
  fixture.git('add', 'new/y.ts');
  execFileSync('mkfifo', [join(fixture.source, 'new/.gitignore')]);
  expect(await readSourceState(git, repository, repository.head)).toMatchObject({
    unavailable: true,
    reason: expect.stringContaining('new/.gitignore is not a regular file'),
  });
});

test('a pipe that came since the last look is found, although the index is still the same', async () => {
  const { git, repository } = await fixture.repository();
  await readSourceState(git, repository, repository.head);
  execFileSync('mkfifo', [join(fixture.source, 'src/.gitattributes')]);
  expect(await readSourceState(git, repository, repository.head)).toMatchObject({ unavailable: true });
});

test('an index that is gone has no folders any more', async () => {
  const { git, repository } = await fixture.repository();
  await readSourceState(git, repository, repository.head);
  fixture.git('rm', '-q', '--cached', '-r', '.');
  mkdirSync(join(fixture.source, 'src'), { recursive: true });
  const state = await readSourceState(git, repository, repository.head);
  expect(state.dirtyPaths.toSorted()).toEqual(['a.txt', 'a.txt', 'src/x.ts', 'src/x.ts']);
});
