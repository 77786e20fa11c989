import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace } from './index.ts';
import { type Fixture, makeFixture, put } from './test-fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture[Symbol.dispose]();
});

/** A repository with a loose object and a pack. */
function otherObjects(name: string): string {
  const other = join(fixture.folder, name);
  fixture.git('clone', '-q', `file://${fixture.source}`, other);
  put(join(other, 'b.txt'), name);
  fixture.gitIn(other, ['add', '.']);
  fixture.gitIn(other, ['commit', '-qm', name]);
  fixture.gitIn(other, ['commit-graph', 'write', '--reachable', '--split']);
  return join(other, '.git/objects');
}

function borrow(objects: string, lines: readonly string[]): void {
  put(join(objects, 'info/alternates'), lines.map((line) => `${line}\n`).join(''));
}

async function borrowed(): Promise<readonly string[]> {
  const { git, repository, workspace } = await fixture.workspace();
  expect(workspace.objectDirectories).toEqual([
    join(workspace.gitDirectory, 'objects'),
    join(fixture.source, '.git/objects'),
  ]);
  const reopened = await openWorkspace(git, repository, workspace);
  expect(reopened.borrowedDirectories).toEqual(workspace.borrowedDirectories);
  return workspace.borrowedDirectories;
}

const ownObjects = () => join(fixture.source, '.git/objects');

test('object directories that a repository borrows from are known, also over several steps and by a link', async () => {
  const [first, second, third] = [otherObjects('first'), otherObjects('second'), otherObjects('third')];
  symlinkSync(third, join(fixture.folder, 'by-link'));
  borrow(ownObjects(), ['# a comment', '../../../first/.git/objects', join(fixture.folder, 'by-link')]);
  borrow(first, [second, ownObjects()]);
  expect(await borrowed()).toEqual([first, second, third]);
});

test('what is no object directory is not among them, nor what leads nowhere', async () => {
  const keys = join(fixture.home, '.ssh');
  put(join(keys, 'id_ed25519'), 'key');
  put(join(keys, 'more/k'), 'key');
  mkdirSync(join(fixture.home, 'empty'));
  put(join(fixture.home, 'half/pack/secret.pem'), 'key');
  put(join(fixture.home, 'mixed/pack/pack-1.txt'), 'key');
  const linking = otherObjects('linking');
  symlinkSync(keys, join(linking, 'ff'));
  const odd = otherObjects('odd');
  put(join(odd, 'info/token'), 'key');
  const loose = otherObjects('loose');
  renameSync(join(keys, 'more/k'), join(keys, 'k'));
  put(join(loose, '00/key.txt'), 'key');
  borrow(ownObjects(), [
    keys,
    join(keys, 'id_ed25519'),
    join(fixture.home, 'empty'),
    join(fixture.home, 'half'),
    join(fixture.home, 'mixed'),
    linking,
    odd,
    loose,
    '/nonexistent/objects',
    '/',
    fixture.source,
    join(fixture.source, '.git'),
  ]);
  expect(await borrowed()).toEqual([]);
});

test('an endless chain or a crowd of them is followed only as far as Git follows it', async () => {
  const chain = Array.from({ length: 8 }, (_, at) => otherObjects(`chain-${at}`));
  borrow(ownObjects(), [chain[0] ?? '']);
  for (const [at, objects] of chain.entries()) borrow(objects, [chain[at + 1] ?? ownObjects()]);
  expect(await borrowed()).toEqual(chain.slice(0, 5));
});
