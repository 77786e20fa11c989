import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RemitError } from '../base/index.ts';
import { defaultStateDirectory, openStateDirectory } from './state-directory.ts';

let parent: string;

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'remit-state-')));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

function refusal(directory: string): string {
  try {
    openStateDirectory(directory);
  } catch (error) {
    if (error instanceof RemitError && error.code === 'invalid_request') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('the state directory', () => {
  test('is where the system keeps state', () => {
    expect(defaultStateDirectory({}, '/home/me', 'linux')).toBe('/home/me/.local/state/remit');
    expect(defaultStateDirectory({ XDG_STATE_HOME: '/state' }, '/home/me', 'linux')).toBe('/state/remit');
    expect(defaultStateDirectory({ XDG_STATE_HOME: 'state' }, '/home/me', 'linux')).toBe('/home/me/.local/state/remit');
    expect(defaultStateDirectory({}, '/Users/me', 'darwin')).toBe('/Users/me/Library/Application Support/remit');
  });

  test('is made private with its parts, and opened again', () => {
    const directory = join(parent, 'a/remit');
    const places = openStateDirectory(directory);
    for (const part of ['', 'logs', 'tasks', 'worktrees']) {
      expect(statSync(join(directory, part)).mode & 0o777, part).toBe(0o700);
    }
    expect(openStateDirectory(directory).stateDirectory).toBe(directory);
    expect([places.worktree('T-1'), places.task('T-1'), places.logDirectory]).toEqual(
      ['worktrees/T-1', 'tasks/T-1', 'logs'].map((part) => join(directory, part)),
    );
    expect([places.workspace('T-1'), places.testbed('T-1'), places.home('T-1'), places.logs('T-1')]).toEqual(
      ['workspace', 'testbed', 'home', 'logs'].map((part) => join(directory, 'tasks/T-1', part)),
    );
  });

  test.each(['..', '../x', 'a/b', '', '.git', 'a..b', 'x'.repeat(65)])('has no place for a task named %j', (id) => {
    expect(() => openStateDirectory(parent).worktree(id)).toThrow('is not usable');
  });

  test('is refused as a link, a file, a place that cannot be made, and with a part that is a link', () => {
    symlinkSync(parent, join(parent, 'link'));
    writeFileSync(join(parent, 'file'), '');
    expect(refusal(join(parent, 'link'))).toContain('is a symbolic link');
    expect(refusal(join(parent, 'file'))).toContain('is not a directory');
    expect(refusal(join(parent, 'file/below'))).toContain('cannot be made');
    expect(refusal('/proc/self/below/deep')).toContain('cannot be made');
    symlinkSync('nowhere', join(parent, 'broken'));
    expect(refusal(join(parent, 'broken'))).toContain('is a symbolic link');
    expect(refusal(join(parent, 'broken/below'))).toContain('cannot be made');
    mkdirSync(join(parent, 'state'), { mode: 0o700 });
    symlinkSync('/tmp', join(parent, 'state/worktrees'));
    expect(refusal(join(parent, 'state'))).toContain('is a symbolic link');
  });

  test('below a linked folder lies where that folder really is, since the sandbox mounts real paths only', () => {
    mkdirSync(join(parent, 'var/home'), { recursive: true });
    symlinkSync('var/home', join(parent, 'home'));
    const places = openStateDirectory(join(parent, 'home/remit'));
    expect(places.stateDirectory).toBe(join(parent, 'var/home/remit'));
    expect(places.worktree('T-1')).toBe(join(parent, 'var/home/remit/worktrees/T-1'));
    chmodSync(join(parent, 'var/home/remit'), 0o777);
    expect(refusal(join(parent, 'home/remit'))).toContain('can be written by other users');
  });

  test.each([0o770, 0o707, 0o777, 0o1777])('that others may write (%o) is refused', (mode) => {
    const directory = join(parent, 'open');
    mkdirSync(directory);
    chmodSync(directory, mode);
    expect(refusal(directory)).toContain('can be written by other users');
  });

  test('of another user is refused', () => {
    let foreign = '/usr';
    if (process.getuid?.() === 0) {
      foreign = join(parent, 'foreign');
      mkdirSync(foreign, { mode: 0o700 });
      chownSync(foreign, 12_345, 12_345);
    }
    expect(refusal(foreign)).toContain('belongs to another user');
  });
});
