import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveInWorktree } from './worktree-path.ts';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-path-')));
const worktree = join(directory, 'tree');
chmodSync(directory, 0o755);
mkdirSync(join(worktree, 'src/deep'), { recursive: true });
mkdirSync(join(directory, 'tree2'));
mkdirSync(join(directory, 'outside/inner'), { recursive: true });
writeFileSync(join(worktree, 'src/file'), '');
symlinkSync(join(directory, 'outside/inner'), join(worktree, 'src/out'));
symlinkSync('deep', join(worktree, 'src/in'));
symlinkSync('nowhere', join(worktree, 'src/dangling'));
symlinkSync('loop-b', join(worktree, 'src/loop-a'));
symlinkSync('loop-a', join(worktree, 'src/loop-b'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('a path that an agent names', () => {
  test.each([
    ['src/file', 'src/file'],
    ['./src//file', 'src/file'],
    [`${worktree}/src/file`, 'src/file'],
    [`file://${worktree}/src/file`, 'src/file'],
    ['src/new/folder/file', 'src/new/folder/file'],
    ['src/in/new', 'src/deep/new'],
    ['src/deep/../file', 'src/file'],
    ['.', ''],
    [worktree, ''],
  ])('%s is inside as %j', async (named, path) => {
    expect(await resolveInWorktree(worktree, named)).toEqual({ kind: 'inside', path });
  });

  test.each([
    '..',
    '../tree2/x',
    `${worktree}2/x`,
    `${worktree}/../tree2/x`,
    'src/out/x',
    'src/out',
    '/etc/passwd',
    '/',
  ])('%s is outside', async (named) => {
    expect(await resolveInWorktree(worktree, named)).toMatchObject({ kind: 'outside' });
  });

  test.each([
    ['', 'empty'],
    ['a\0b', 'NUL'],
    ['~/x', 'shell'],
    ['src/dangling', 'dangling'],
    ['src/dangling/x', 'dangling'],
    ['src/loop-a', 'ELOOP'],
    ['src/file/x', 'not a folder'],
    ['src/out/../x', 'behind a link'],
    ['src/new/../../x', 'does not exist'],
    ['file://elsewhere/x', 'not a file URL'],
    [`src/${'n'.repeat(256)}`, 'name in it is too long'],
    ['d/'.repeat(2_100), 'too long'],
  ])('%j cannot be followed, and its text never stands in for it', async (named, reason) => {
    expect(await resolveInWorktree(worktree, named)).toMatchObject({
      kind: 'unresolvable',
      reason: expect.stringContaining(reason),
    });
  });

  test('a folder that may not be searched cannot be followed into, not even to see whether anything is there', async () => {
    const closed = join(worktree, 'src/closed');
    mkdirSync(closed, { mode: 0 });
    const asRoot = process.geteuid?.() === 0;
    try {
      // Root may search every folder; for a moment this process is nobody.
      if (asRoot) process.seteuid?.(65_534);
      for (const named of ['src/closed/x', `${worktree}/src/closed/deep/x`]) {
        expect(await resolveInWorktree(worktree, named)).toMatchObject({
          kind: 'unresolvable',
          reason: expect.stringContaining('EACCES'),
        });
      }
    } finally {
      if (asRoot) process.seteuid?.(0);
      rmdirSync(closed);
    }
  });

  test('whatever it is, what counts as inside lies really inside', async () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      'out',
      'in',
      'deep',
      'file',
      'dangling',
      'tree',
      'tree2',
      'x',
    );
    const property = fc.asyncProperty(
      fc.array(segment, { maxLength: 8 }),
      fc.boolean(),
      async (segments, isAbsolute) => {
        const named = `${isAbsolute ? `${worktree}/` : ''}${segments.join('/')}`;
        const resolved = await resolveInWorktree(worktree, named);
        if (resolved.kind !== 'inside') return;
        expect(resolved.path.split('/')).not.toContain('..');
        expect(await resolveInWorktree(worktree, resolved.path || '.')).toEqual(resolved);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
