import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../base/index.ts';
import { localFiles } from './local-files.ts';
import { LARGEST_FILE_BYTES } from './place.ts';
import { placePath } from './place-path.ts';

/** A repository's folder, and beside it a file that nothing may reach. */
function folders(): { root: string; outside: string; secret: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'remit-place-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, outside] = [join(base, 'root'), join(base, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), 'outside\n');
  return { root, outside, secret: join(outside, 'file') };
}

const bytes = (text: string) => Buffer.from(text);
const digestOf = (text: string) => ({ expected: { sha256: sha256(text) } });

describe('a path', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/', 'src'],
    ['.', ''],
    ['/repo/src/a.ts', 'src/a.ts'],
    ['/repo', ''],
    ['~/a', '~/a'],
  ])('%s is %s in the repository', (written, path) => {
    expect(placePath('/repo', written)).toEqual({ kind: 'inside', path });
  });

  test.each([
    '../a',
    'a/../b',
    '/etc/passwd',
    '/repository/a',
    'a\0b',
    '/repo/../etc',
    'x'.repeat(256),
    'x/'.repeat(3000),
  ])('%j is refused', (written) => {
    expect(placePath('/repo', written)).toMatchObject({ kind: 'refused' });
  });
});

describe('files', () => {
  test('are replaced whole and keep their mode', async () => {
    const { root } = folders();
    const files = localFiles(root);
    writeFileSync(join(root, 'run.sh'), 'old\n');
    chmodSync(join(root, 'run.sh'), 0o751);
    expect(await files.write('run.sh', bytes('new\n'), digestOf('old\n'))).toEqual({ kind: 'done' });
    expect(await files.peek('run.sh')).toEqual({ kind: 'file', bytes: bytes('new\n'), mode: 0o751 });
    expect(readdirSync(root)).toEqual(['run.sh']);
  });

  test('are made with the folders that they need, and never over another file', async () => {
    const { root } = folders();
    const files = localFiles(root);
    expect(await files.write('a/b/c', bytes('1'), { expected: 'absent' })).toEqual({ kind: 'done' });
    expect(await files.write('a/b/c', bytes('2'), { expected: 'absent' })).toEqual({ kind: 'unexpected' });
    expect(readFileSync(join(root, 'a/b/c'), 'utf8')).toBe('1');
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c']);
  });

  test('that are not what was expected stay as they are', async () => {
    const { root } = folders();
    const files = localFiles(root);
    writeFileSync(join(root, 'a'), 'theirs');
    expect(await files.write('a', bytes('mine'), digestOf('before'))).toEqual({ kind: 'unexpected' });
    expect(await files.remove('a', digestOf('before'))).toEqual({ kind: 'unexpected' });
    expect(await files.move('a', 'b', digestOf('before'))).toEqual({ kind: 'unexpected' });
    expect(await files.write('gone', bytes('mine'), digestOf('before'))).toEqual({ kind: 'unexpected' });
    expect(readdirSync(root)).toEqual(['a']);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('theirs');
  });

  test('are moved with their mode, and never onto another file', async () => {
    const { root } = folders();
    const files = localFiles(root);
    writeFileSync(join(root, 'a'), 'a', { mode: 0o700 });
    writeFileSync(join(root, 'b'), 'b');
    expect(await files.move('a', 'b', digestOf('a'))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('exists'),
    });
    expect(await files.move('a', 'deep/c', digestOf('a'))).toEqual({ kind: 'done' });
    expect(readdirSync(root).sort()).toEqual(['b', 'deep']);
    expect(statSync(join(root, 'deep/c')).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'deep/c')).nlink).toBe(1);
  });

  test('that share their bytes with another name leave the other name alone', async () => {
    const { root, secret } = folders();
    linkSync(secret, join(root, 'shared'));
    expect(await localFiles(root).write('shared', bytes('new'), digestOf('outside\n'))).toEqual({ kind: 'done' });
    expect(readFileSync(secret, 'utf8')).toBe('outside\n');
  });

  test('whose names are no UTF-8 are listed, read and removed by their bytes', async () => {
    const { root } = folders();
    const files = localFiles(root);
    writeFileSync(Buffer.concat([bytes(`${root}/caf`), Buffer.from([0xe9])]), 'x');
    expect(await files.list('')).toEqual({ kind: 'folder', entries: [{ name: 'caf\udce9', kind: 'file' }] });
    expect(await files.peek('caf\udce9')).toMatchObject({ kind: 'file' });
    expect(await files.remove('caf\udce9', {})).toEqual({ kind: 'done' });
    expect(readdirSync(root)).toEqual([]);
  });

  test.each([
    ['a folder', 'folder', (path: string) => mkdirSync(path)],
    ['a named pipe', 'regular', (path: string) => spawnSync('mkfifo', [path])],
    [
      'larger than can be read',
      'too large',
      (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, LARGEST_FILE_BYTES + 1);
      },
    ],
  ])('that are %s are refused at once, with the reason', async (_, reason, make) => {
    const { root } = folders();
    make(join(root, 'odd'));
    expect(await localFiles(root).peek('odd')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
  });

  test('of Git and of credentials are out of reach, in any letter case', async () => {
    const { root } = folders();
    const files = localFiles(root);
    for (const path of ['.git/hooks/pre-commit', 'sub/.GIT/config']) {
      expect(await files.write(path, bytes('x'), { expected: 'absent' })).toMatchObject({ kind: 'refused' });
    }
    writeFileSync(join(root, '.env'), 'KEY=1');
    expect(await files.peek('.env')).toMatchObject({ kind: 'refused' });
    expect(readdirSync(root)).toEqual(['.env']);
  });
});

describe('a link', () => {
  test.each([
    ['to a file outside', 'link', ({ secret }: ReturnType<typeof folders>) => secret, 'link'],
    ['to a folder outside', 'link', ({ outside }: ReturnType<typeof folders>) => outside, 'link/file'],
    ['up', 'link', () => '../outside', 'link/file'],
    ['to itself', 'link', () => 'link', 'link'],
    ['to nothing, outside', 'link', () => '../outside/new', 'link'],
  ])('%s is followed neither for reading nor for writing', async (_, name, target, path) => {
    const place = folders();
    const files = localFiles(place.root);
    symlinkSync(target(place), join(place.root, name));
    expect(await files.peek(path)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('link') });
    expect(await files.write(path, bytes('x'), { expected: 'absent' })).toMatchObject({ kind: 'refused' });
    expect(await files.write(path, bytes('x'), digestOf('outside\n'))).toMatchObject({ kind: 'refused' });
    expect(await files.move(path, 'mine', digestOf('outside\n'))).toMatchObject({ kind: 'refused' });
    expect(readFileSync(place.secret, 'utf8')).toBe('outside\n');
    expect(readdirSync(place.outside)).toEqual(['file']);
    expect(existsSync(join(place.root, 'mine'))).toBe(false);
  });

  test('is listed as one, and the refusal says where it leads', async () => {
    const { root } = folders();
    mkdirSync(join(root, 'real'));
    writeFileSync(join(root, 'real/a'), '');
    symlinkSync('real', join(root, 'alias'));
    const files = localFiles(root);
    expect(await files.list('')).toMatchObject({
      entries: [
        { name: 'alias', kind: 'link' },
        { name: 'real', kind: 'folder' },
      ],
    });
    expect(await files.list('alias')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('a link to real'),
    });
    expect(await files.peek('alias/a')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('behind alias'),
    });
  });

  test('itself can be removed, and what it leads to stays', async () => {
    const { root, secret } = folders();
    symlinkSync(secret, join(root, 'link'));
    expect(await localFiles(root).remove('link', {})).toEqual({ kind: 'done' });
    expect(readdirSync(root)).toEqual([]);
    expect(readFileSync(secret, 'utf8')).toBe('outside\n');
  });

  test('put in the place of a folder again and again leads nothing out', async () => {
    const { root, outside } = folders();
    const files = localFiles(root);
    mkdirSync(join(root, 'inner'));
    const swap = `
      const fs = require('node:fs');
      const attempt = (step) => { try { step(); } catch {} };
      for (let round = 0; round < 300; round += 1) {
        attempt(() => fs.renameSync('inner', 'kept'));
        attempt(() => fs.symlinkSync('../outside', 'inner'));
        attempt(() => fs.unlinkSync('inner'));
        attempt(() => fs.renameSync('kept', 'inner'));
      }`;
    const swapper = spawn(process.execPath, ['-e', swap], { cwd: root, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => swapper.on('exit', resolve));
    const outcomes = new Set<string>();
    for (let round = 0; swapper.exitCode === null && round < 20_000; round += 1) {
      outcomes.add((await files.write(`inner/${round}`, bytes('x'), { expected: 'absent' })).kind);
      outcomes.add((await files.peek('inner/file')).kind);
    }
    expect(await ended).toBe(0);
    expect(readdirSync(outside)).toEqual(['file']);
    expect(outcomes).toContain('done');
    expect(outcomes).not.toContain('file');
  });
});
