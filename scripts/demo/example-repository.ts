/** The example that the demo delegates: a small project whose one function is wrong, and a test that says so. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'slugs', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# slugs\n\nTurns a title into the part of an address that stands for it.\n',
  'src/slug.js': `/** Turns a title into a slug: lower case, words joined by single hyphens. */
export function slug(title) {
  return title.toLowerCase().replace(' ', '-');
}
`,
  'test/slug.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('two words are joined by a hyphen', () => {
  assert.equal(slug('Hello World'), 'hello-world');
});

test('every space becomes a hyphen', () => {
  assert.equal(slug('The Quick Brown Fox'), 'the-quick-brown-fox');
});
`,
};

/** The model's script: it reads, mends, adds a test, runs the tests, and says what it did. */
export const SCRIPTED_TURNS = [
  {
    text: 'I read the function and its test first.',
    toolCalls: [
      { name: 'read_file', arguments: { path: 'src/slug.js' } },
      { name: 'read_file', arguments: { path: 'test/slug.test.js' } },
    ],
  },
  {
    text: 'Only the first space is replaced; runs of spaces must become one hyphen.',
    toolCalls: [
      {
        name: 'edit_file',
        arguments: {
          path: 'src/slug.js',
          old_string: "title.toLowerCase().replace(' ', '-')",
          new_string: "title.trim().toLowerCase().replace(/\\s+/g, '-')",
        },
      },
    ],
  },
  {
    text: 'Now a test for what was not tested.',
    toolCalls: [
      {
        name: 'edit_file',
        arguments: {
          path: 'test/slug.test.js',
          old_string: "  assert.equal(slug('The Quick Brown Fox'), 'the-quick-brown-fox');\n});\n",
          new_string:
            "  assert.equal(slug('The Quick Brown Fox'), 'the-quick-brown-fox');\n});\n\n" +
            "test('spaces around and between words leave single hyphens', () => {\n" +
            "  assert.equal(slug('  Two   words '), 'two-words');\n});\n",
        },
      },
    ],
  },
  { toolCalls: [{ name: 'bash', arguments: { command: 'node --test test/slug.test.js' } }] },
  { text: 'slug() now replaces every run of spaces and trims the ends; a test covers it.' },
];

/** What the supervisor delegates: one criterion is proven by a command, the other one by reading. */
export const CONTRACT = {
  schema_version: 1,
  objective: 'Make slug() replace every space, not only the first, and add a test for spaces around and between words.',
  user_outcome: 'Titles of more than two words get correct slugs.',
  verified_context: [{ path: 'src/slug.js', reason: 'holds the faulty function' }],
  write_scope: ['src/**', 'test/**'],
  forbidden_scope: ['package.json'],
  invariants: ['slug() keeps its name and its one parameter'],
  acceptance_criteria: [
    { id: 'tests-pass', requirement: 'All tests pass, the new one included', evidence: 'automated' },
    { id: 'small-change', requirement: 'The change does this and nothing else', evidence: 'review' },
  ],
  verification: [
    { id: 'unit', argv: ['node', '--test', 'test/slug.test.js'], timeout_seconds: 60, proves: ['tests-pass'] },
  ],
};

export function makeExampleRepository(directory: string, environment: Record<string, string>): void {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, env: environment });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=Turn titles into slugs');
}
