import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAgentBench } from '../../test/agents/agent-bench.ts';
import { readToolFacts, type ToolFacts } from './tool-facts.ts';
import { translate } from './translate.ts';

const inside = (path: string) => ({ kind: 'inside', path });

async function translated(toolCall: Record<string, unknown>) {
  using bench = openAgentBench();
  symlinkSync(tmpdir(), join(bench.worktree, 'out'));
  const placed = JSON.parse(
    JSON.stringify({ toolCallId: 't', ...toolCall }).replaceAll('WORKTREE', bench.worktree),
  ) as unknown;
  return await translate(readToolFacts(placed) as ToolFacts, bench.worktree);
}

describe('a request as real agents write it', () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'opencode, edit',
      {
        kind: 'edit',
        locations: [{ path: 'WORKTREE/src/x.ts' }],
        rawInput: { filepath: 'WORKTREE/src/x.ts', diff: '…' },
      },
      { kind: 'edit', paths: [inside('src/x.ts')] },
    ],
    [
      'claude, edit',
      { kind: 'edit', rawInput: { file_path: 'WORKTREE/src/x.ts', old_string: 'a', new_string: 'b' } },
      { kind: 'edit', paths: [inside('src/x.ts')] },
    ],
    [
      'gemini, edit without input',
      { kind: 'edit', locations: [{ path: 'WORKTREE/src/x.ts' }] },
      { kind: 'edit', paths: [inside('src/x.ts')] },
    ],
    [
      'codex, changes with a move',
      { kind: 'edit', rawInput: { changes: { 'WORKTREE/a.txt': { update: { move_path: 'WORKTREE/b.txt' } } } } },
      { kind: 'edit', paths: [inside('a.txt'), inside('b.txt')] },
    ],
    [
      'a diff in the content',
      { kind: 'edit', content: [{ type: 'diff', path: 'src/x.ts', newText: '' }] },
      { kind: 'edit', paths: [inside('src/x.ts')] },
    ],
    [
      'Reasonix, move',
      {
        kind: 'edit',
        rawInput: { source_path: 'src/x.ts', destination_path: 'src/y.ts' },
        _meta: { 'reasonix.io': { tool: 'move_file', subject: 'src/x.ts -> src/y.ts' } },
      },
      { kind: 'edit', paths: [inside('src/x.ts'), inside('src/y.ts')] },
    ],
    [
      'an editor tool whose verb is called command',
      { kind: 'edit', rawInput: { command: 'create', path: 'src/y.ts' } },
      { kind: 'edit', paths: [inside('src/y.ts')] },
    ],
    [
      'paths without a kind count as an edit',
      { rawInput: { path: 'a.txt' } },
      { kind: 'edit', paths: [inside('a.txt')] },
    ],
    [
      'fetch',
      { kind: 'fetch', rawInput: { url: 'https://example.com' } },
      { kind: 'fetch', target: 'https://example.com' },
    ],
    ['a tool of another kind', { kind: 'switch_mode', title: 'plan' }, { kind: 'other', title: 'plan' }],
  ])('%s', async (_, toolCall, action) => {
    expect(await translated(toolCall)).toMatchObject({ kind: 'action', action });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'Reasonix, static argv',
      {
        rawInput: { command: 'node --test' },
        _meta: { 'reasonix.io': { argv: ['node', '--test'], cwd: 'WORKTREE', subject: 'node --test' } },
      },
      { argv: ['node', '--test'], cwd: inside(''), commandText: 'node --test' },
    ],
    [
      'opencode, a text',
      { rawInput: { command: 'cat a; id' } },
      { argv: undefined, commandText: 'cat a; id', cwd: inside('') },
    ],
    [
      'codex, a shell around a simple command',
      { rawInput: { command: ['bash', '-lc', "node --test 'a b'"], cwd: 'WORKTREE/src' } },
      { argv: ['node', '--test', 'a b'], cwd: inside('src') },
    ],
    [
      'codex, a shell around more than that',
      { rawInput: { command: ['/bin/bash', '-lc', 'cat a | sh'] } },
      { argv: undefined, commandText: 'cat a | sh' },
    ],
    ['a list in the input', { rawInput: { command: ['ls', '-a'] } }, { argv: ['ls', '-a'] }],
    [
      'a cwd beside the worktree',
      { rawInput: { command: 'ls', cwd: 'WORKTREE/../worktree2' } },
      { cwd: { kind: 'outside' } },
    ],
    ['a cwd above the worktree', { rawInput: { command: 'ls', cwd: 'WORKTREE/..' } }, { cwd: { kind: 'outside' } }],
    ['a cwd behind a link', { rawInput: { command: 'ls', cwd: 'WORKTREE/out' } }, { cwd: { kind: 'outside' } }],
    ['a cwd below a link', { rawInput: { command: 'ls', cwd: 'out/sub' } }, { cwd: { kind: 'outside' } }],
    ['a cwd to come', { rawInput: { command: 'ls', cwd: 'src/new/deep' } }, { cwd: inside('src/new/deep') }],
    [
      'a cwd to come from which it goes up again',
      { rawInput: { command: 'ls', cwd: 'src/new/../../..' } },
      { cwd: { kind: 'unresolvable' } },
    ],
    ['a cwd that calls itself a search', { kind: 'search', rawInput: { command: 'rg x' } }, { commandText: 'rg x' }],
  ])('command: %s', async (_, toolCall, action) => {
    expect(await translated({ kind: 'execute', ...toolCall })).toMatchObject({
      kind: 'action',
      action: { kind: 'execute', ...action },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['a command that stands in the title only', { kind: 'execute', title: 'node --test', rawInput: {} }],
    ['an edit of nothing', { kind: 'edit', title: 'Edit src/x.ts' }],
    ['a move with one path', { kind: 'move', rawInput: { path: 'a.txt' } }],
    [
      'more paths than anybody edits at once',
      { kind: 'edit', rawInput: { paths: Array.from({ length: 300 }, (_, n) => `src/${n}`) } },
    ],
  ])('%s is not enough information', async (_, toolCall) => {
    expect(await translated(toolCall)).toMatchObject({ kind: 'incomplete' });
  });
});
