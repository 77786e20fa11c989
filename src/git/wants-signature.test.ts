import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFacts, wantsSignature } from './index.ts';
import { type Fixture, makeFixture } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture[Symbol.dispose]());

test.each([
  [[], false],
  [['true'], true],
  [['1'], true],
  [['false'], false],
  [['true', 'no'], false],
  [['perhaps'], false],
])('with commit.gpgSign %j a signature is wanted: %s', async (values, wanted) => {
  for (const value of values) fixture.git('config', '--add', 'commit.gpgSign', value);
  const { git, repository } = await fixture.repository();
  const { configuration } = await readFacts(git, repository, repository.head);
  expect(wantsSignature(configuration)).toBe(wanted);
});
