import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-find-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, mode = 0o755): string {
  writeFileSync(join(folder, path), '#!/bin/sh\n');
  chmodSync(join(folder, path), mode);
  return join(folder, path);
}

describe('finding a program', () => {
  test('ignores relative and empty entries of the search path, where a worktree could plant one', () => {
    const before = process.cwd();
    program('planted');
    process.chdir(folder);
    try {
      expect(findExecutable('planted', '.::./:node_modules/.bin:')).toBeUndefined();
      expect(findExecutable('./planted', folder)).toBeUndefined();
      expect(findExecutable('planted', folder)).toBe(join(folder, 'planted'));
    } finally {
      process.chdir(before);
    }
  });

  test('answers the real path behind a link', () => {
    const target = program('target');
    symlinkSync(target, join(folder, 'link'));
    expect(findExecutable('link', folder)).toBe(target);
    expect(findExecutable(join(folder, 'link'), '')).toBe(target);
  });

  test('passes over folders, files that are not executable, dangling links and names with a NUL', () => {
    mkdirSync(join(folder, 'folder'));
    program('plain', 0o644);
    symlinkSync('nowhere', join(folder, 'dangling'));
    for (const name of ['folder', 'plain', 'dangling', 'absent', '', 'a\0b']) {
      expect(findExecutable(name, folder)).toBeUndefined();
    }
  });
});
