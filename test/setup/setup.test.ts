import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findExecutable } from '../../src/process/index.ts';

const SETUP = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'scripts/setup.sh');

/** Runs the set-up with nothing on the search path but the named programs; for one that is not here any program stands in. */
function runSetup(programs: readonly string[], ...words: readonly string[]) {
  const tools = mkdtempSync(join(tmpdir(), 'remit-setup-'));
  onTestFinished(() => rmSync(tools, { recursive: true, force: true }));
  for (const name of programs) symlinkSync(findExecutable(name) ?? process.execPath, join(tools, name));
  const { status, stdout, stderr } = spawnSync('/bin/sh', [SETUP, ...words], {
    env: { PATH: tools },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const BASICS = ['dirname', 'uname', 'id', 'cat', 'cksum'];

test.runIf(process.platform === 'linux')(
  'a machine without Git and bubblewrap, and without apt, is told what to install and how',
  () => {
    const { status, stdout, stderr } = runSetup(BASICS);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('Missing: git bwrap');
    for (const command of [
      'apt-get install git bubblewrap',
      'dnf install git bubblewrap',
      'pacman -S git bubblewrap',
    ]) {
      expect(stderr).toContain(command);
    }
  },
);

test('a machine that has everything is left alone, and only whoever asks for the set-up itself is told so', () => {
  const programs = [...BASICS, 'git', 'bwrap', 'rg', 'strace'];
  expect(runSetup(programs)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(runSetup(programs, 'setup')).toEqual({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]*installed[^\n]*\n$/),
  });
});
