import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseSocketPath, removeSocket, sweepSockets } from './socket-place.ts';

const ID = 'abcdef01-2345-6789';

function stateDirectory(length = 0): string {
  const folder = mkdtempSync(join(tmpdir(), 'remit-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const state = join(folder, 'x'.repeat(length) || 'state');
  mkdirSync(state);
  return state;
}

test('a socket lies in a private folder of the state directory', () => {
  const state = stateDirectory();
  const path = chooseSocketPath(state, ID);
  expect(path).toBe(join(state, 'run', `${process.pid}-abcdef01.sock`));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('where the path would be too long for the system, the socket lies in a private folder of its own', () => {
  const path = chooseSocketPath(stateDirectory(120), ID);
  onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
  expect(Buffer.byteLength(path)).toBeLessThan(100);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('sockets of dead processes are removed, those of living ones and files of others stay', () => {
  const state = stateDirectory();
  const own = chooseSocketPath(state, ID);
  const run = dirname(own);
  writeFileSync(own, '');
  writeFileSync(join(run, 'notes.txt'), '');
  // No system gives so high a number to a process.
  writeFileSync(join(run, '4194999-abcdef01.sock'), '');
  sweepSockets(state);
  expect(readdirSync(run).sort()).toEqual([`${process.pid}-abcdef01.sock`, 'notes.txt'].sort());
  expect(existsSync(own)).toBe(true);
});

test('a socket that is removed takes only a folder of its own with it, also where the state lies in /tmp', () => {
  const state = mkdtempSync('/tmp/remit-');
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const [own, other] = [chooseSocketPath(state, ID), chooseSocketPath(state, '12345678-')];
  for (const path of [own, other]) writeFileSync(path, '');
  removeSocket(own);
  expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
  const lone = chooseSocketPath(stateDirectory(120), ID);
  writeFileSync(lone, '');
  removeSocket(lone);
  expect(existsSync(dirname(lone))).toBe(false);
});

/** As if the process that chose this socket had been killed: no system gives so high a number to a process. */
function letDie(state: string): void {
  const name = `${process.pid}-abcdef01.sock`;
  renameSync(join(state, 'run', name), join(state, 'run', name.replace(/^\d+/, '4194999')));
}

test('the folder in /tmp of a killed process is found and removed', () => {
  const state = stateDirectory(120);
  const lone = chooseSocketPath(state, ID);
  writeFileSync(lone, '');
  sweepSockets(state);
  expect(existsSync(lone)).toBe(true);
  letDie(state);
  sweepSockets(state);
  expect([existsSync(dirname(lone)), readdirSync(join(state, 'run'))]).toEqual([false, []]);
});

test('a process that removed its folder in /tmp leaves nothing that tells of it', () => {
  const state = stateDirectory(120);
  const lone = chooseSocketPath(state, ID);
  writeFileSync(lone, '');
  removeSocket(lone);
  sweepSockets(state);
  expect(readdirSync(join(state, 'run'))).toEqual([]);
});

test('a link that was put where such a folder was leads nowhere', () => {
  const state = stateDirectory(120);
  const lone = chooseSocketPath(state, ID);
  const elsewhere = stateDirectory();
  writeFileSync(join(elsewhere, 'owner.sock'), '');
  rmSync(dirname(lone), { recursive: true });
  symlinkSync(elsewhere, dirname(lone));
  onTestFinished(() => rmSync(dirname(lone)));
  letDie(state);
  sweepSockets(state);
  expect([existsSync(join(elsewhere, 'owner.sock')), readdirSync(join(state, 'run'))]).toEqual([true, []]);
});
