/**
 * What the model says in the session that is measured: three prompts of ordinary work on this project's own source. As its system
 * text asks, it reads what it needs at once and first; from then on it edits, tests, searches and looks at what it needs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedToolCall, ScriptedTurn } from '../../test/model/script.ts';

/** Each prompt documents one of them. */
const DOCUMENTED = ['src/task/journal.ts', 'src/git/write-tree.ts', 'src/review/finalize.ts'];
const AROUND_THEM = [
  'src/task/tasks.ts',
  'src/task/task-run.ts',
  'src/git/scan-workspace.ts',
  'src/git/create-worktree.ts',
  'src/review/snapshot.ts',
  'src/review/secret-scan.ts',
];
const TEST = 'test/documented.test.mjs';
const DECLARATION = '^(export )?(async )?function |^ {2}(async )?#?\\w+\\(.*\\{$';

const call = (name: string, args: Record<string, unknown>): ScriptedToolCall => ({ name, arguments: args });
const read = (path: string, lines: { from?: number; to?: number } = {}) => call('read_file', { path, ...lines });
const bash = (...argv: string[]) => call('bash', { argv });

/** The client guides the worker when `reached` is called; the model's answer waits for `heard`. */
export interface Steer {
  reached(): void;
  readonly heard: Promise<unknown>;
}

export interface ScriptedPrompt {
  readonly text: string;
  readonly turns: readonly ScriptedTurn[];
}

/** `root`: the project whose source is worked on. */
export function sessionScript(root: string, steer: Steer): ScriptedPrompt[] {
  return DOCUMENTED.map((path, at) => ({
    text: `Say in a docstring what each declaration of ${path} is for: one sentence, for somebody who reads the file for the first time. Change nothing else, and keep the tests passing.`,
    turns: [...(at === 0 ? beginning(root) : []), ...documenting(root, path, at, at === 1 ? steer : undefined)],
  }));
}

function beginning(root: string): ScriptedTurn[] {
  const searches = [
    call('glob', { pattern: 'src/{task,git,review}/*.ts' }),
    call('grep', { pattern: 'writeTree|Journal' }),
  ];
  return [
    { text: 'I begin with the files and what stands around them.', toolCalls: DOCUMENTED.map((path) => read(path)) },
    { toolCalls: [...AROUND_THEM.map((path) => read(path)), ...searches] },
    { text: 'A test first.', toolCalls: [call('write_file', { path: TEST, content: testSource(root) })] },
  ];
}

function documenting(root: string, path: string, at: number, steer: Steer | undefined): ScriptedTurn[] {
  const [first, second, third, fourth] = silentDeclarations(root, path).map(edit);
  const runTests = { toolCalls: [bash('node', '--test', `--test-name-pattern=${path}`, TEST)] };
  const evidence = [{ kind: 'diff', summary: 'Four docstrings, nothing else.', paths: [path] }];
  const reviewed = [...DOCUMENTED.slice(0, at + 1), TEST];
  return [
    { toolCalls: [todos(path), call('grep', { pattern: DECLARATION, path })] },
    { text: 'The test fails, as it should.', ...runTests },
    { text: 'The first two declarations.', toolCalls: [call('multi_edit', { path, edits: [first, second] })] },
    runTests,
    guided(steer, [read(path, { from: 20, to: 60 })]),
    { text: 'Now the third.', toolCalls: [call('edit_file', { path, ...third })] },
    { toolCalls: [call('edit_file', { path, ...fourth })] },
    runTests,
    { toolCalls: [call('complete_step', { step: '1', result: 'Four declarations are documented.', evidence })] },
    // It has not looked at its own change: the gate tells it to go on.
    { text: `${path} is documented, and the tests pass.` },
    { toolCalls: [bash('git', 'diff', 'HEAD', '--', path), ...(at === 0 ? [read(TEST)] : [])] },
    { toolCalls: [call('review_report', { kind: 'review', verdict: 'pass', reviewed_paths: reviewed, findings: [] })] },
    { text: `Four declarations of ${path} say now what they are for. Nothing else was changed.` },
  ];
}

function todos(path: string): ScriptedToolCall {
  return call('todo_write', { items: [{ id: '1', text: `Document ${path}`, status: 'in_progress' }] });
}

/** Held back until the worker has heard its client, where it is to hear it. */
function guided(steer: Steer | undefined, toolCalls: readonly ScriptedToolCall[]): ScriptedTurn {
  if (steer === undefined) return { toolCalls };
  const whenAsked = () => {
    steer.reached();
    return toolCalls;
  };
  return { toolCalls: whenAsked, until: steer.heard };
}

/** Holds the number of silent declarations down, and lists them all. */
function testSource(root: string): string {
  const limits = DOCUMENTED.map((path) => [path, silentDeclarations(root, path).length - 2]);
  return `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

const DECLARATION = /${DECLARATION}/;

/** Lines that begin a declaration, each with the line that stands above it. */
function declarations(path) {
  const lines = readFileSync(path, 'utf8').split('\\n');
  return lines.flatMap((line, at) => (DECLARATION.test(line) ? [{ line, above: lines[at - 1] ?? '', at: at + 1 }] : []));
}

for (const [path, limit] of ${JSON.stringify(limits)}) {
  describe(path, () => {
    test('few declarations are without a docstring', () => {
      const silent = declarations(path).filter(({ above }) => !above.trim().endsWith('*/'));
      assert.ok(silent.length <= limit, \`\${silent.length} are, at lines \${silent.map(({ at }) => at).join(', ')}\`);
    });
    for (const { line } of declarations(path)) {
      test(\`\${line.trim().slice(0, 60)} fits the page\`, () => assert.ok(line.length <= 120));
    }
  });
}
`;
}

/** Lines of a source file that begin a declaration without a docstring, and stand there once. */
function silentDeclarations(root: string, path: string): string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const isOnce = (line: string) => lines.indexOf(line) === lines.lastIndexOf(line);
  return lines.filter(
    (line, at) => new RegExp(DECLARATION).test(line) && !lines[at - 1]?.trim().endsWith('*/') && isOnce(line),
  );
}

function edit(line: string): { old_string: string; new_string: string } {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const name = /#?\w+(?=[(<])/.exec(line)?.[0] ?? 'This';
  return {
    old_string: `${line}\n`,
    new_string: `${indent}/** ${name} is one step of what this file is for; it is called where the step before it has ended. */\n${line}\n`,
  };
}
