import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lintContract } from '../contract/index.ts';
import { settingsToHide } from './hidden-settings.ts';

const SETTINGS = ['.claude', '.mcp.json'];

let worktree: string;
beforeEach(() => {
  worktree = mkdtempSync(join(tmpdir(), 'remit-settings-'));
  for (const path of ['settings.json', 'hooks/run.sh', 'commands/one.md', 'commands/two.md', 'agents/a.md']) {
    place(`.claude/${path}`);
  }
});
afterEach(() => rmSync(worktree, { recursive: true, force: true }));

function place(path: string): void {
  mkdirSync(dirname(join(worktree, path)), { recursive: true });
  writeFileSync(join(worktree, path), '');
}

function hidden(write_scope: string[], forbidden_scope: string[] = []): string[] {
  const result = lintContract({
    schema_version: 1,
    objective: 'o',
    user_outcome: 'u',
    write_scope,
    forbidden_scope,
    acceptance_criteria: [{ id: 'c', requirement: 'r', evidence: 'review' }],
    verification: [],
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return settingsToHide(worktree, SETTINGS, result.contract).sort();
}

describe('settings of the repository', () => {
  test('that no scope is about are hidden whole, where they exist', () => {
    expect(hidden(['src/**'])).toEqual(['.claude']);
    place('.mcp.json');
    expect(hidden(['src/**'])).toEqual(['.claude', '.mcp.json']);
  });

  test('are shown as far as the scope reaches into them', () => {
    expect(hidden(['.claude/commands/**'])).toEqual(['.claude/agents', '.claude/hooks', '.claude/settings.json']);
    expect(hidden(['.claude/commands/one.md', '.claude/settings.json'])).toEqual([
      '.claude/agents',
      '.claude/commands/two.md',
      '.claude/hooks',
    ]);
    expect(hidden(['.claude'])).toEqual([]);
    expect(hidden(['**'])).toEqual([]);
  });

  test('that the contract forbids are hidden in a folder that is in scope', () => {
    expect(hidden(['.claude/**'], ['.claude/hooks', '.claude/settings.json'])).toEqual([
      '.claude/hooks',
      '.claude/settings.json',
    ]);
  });

  test('are hidden whole where their parts are too many to tell apart', () => {
    for (let n = 0; n < 201; n += 1) place(`.claude/agents/${n}.toml`);
    expect(hidden(['.claude/agents/*.md'])).toEqual(['.claude']);
  });

  test('that are links are refused, also inside a folder, unless they are in scope', () => {
    symlinkSync('../elsewhere', join(worktree, '.claude/skills'));
    expect(() => hidden(['.claude/commands/**'])).toThrow(/symbolic links.*\.claude\/skills/);
    expect(hidden(['.claude/**'])).toEqual([]);
    symlinkSync('elsewhere', join(worktree, '.mcp.json'));
    expect(() => hidden(['src/**'])).toThrow(/symbolic links.*\.mcp\.json/);
  });
});
