/** The example that the demo delegates: the project and the first contract of `examples/`, and what the model is made to say. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples');

export const CONTRACT_FILE = join(EXAMPLES, 'fix-a-bug.jsonc');

/** The model's script: it reads, mends, adds a test, and runs the tests. */
const WORK = [
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
    text: 'Now tests for what was not tested.',
    toolCalls: [
      {
        name: 'edit_file',
        arguments: {
          path: 'test/slug.test.js',
          old_string: "  assert.equal(slug('Hello World'), 'hello-world');\n});\n",
          new_string:
            "  assert.equal(slug('Hello World'), 'hello-world');\n});\n\n" +
            "test('four words are joined', () => {\n" +
            "  assert.equal(slug('The Quick Brown Fox'), 'the-quick-brown-fox');\n});\n\n" +
            "test('spaces around and between words leave single hyphens', () => {\n" +
            "  assert.equal(slug('  Two   words '), 'two-words');\n});\n",
        },
      },
    ],
  },
  { toolCalls: [{ name: 'bash', arguments: { command: 'node --test test/slug.test.js' } }] },
];

/** The bundled worker may not end before its review is accepted; what it did not read again would be refused. */
const REVIEW = [
  {
    text: 'The tests pass. I read what I changed once more.',
    toolCalls: [
      { name: 'read_file', arguments: { path: 'src/slug.js' } },
      { name: 'read_file', arguments: { path: 'test/slug.test.js' } },
    ],
  },
  {
    toolCalls: [
      {
        name: 'review_report',
        arguments: {
          kind: 'review',
          verdict: 'pass',
          reviewed_paths: ['src/slug.js', 'test/slug.test.js'],
          findings: [
            {
              summary: 'Punctuation still ends up in slugs, as the contract says under non_goals.',
              severity: 'info',
              path: 'src/slug.js',
              line: 2,
            },
          ],
        },
      },
    ],
  },
];

const END = [{ text: 'slug() now replaces every run of spaces and trims the ends; two tests cover it.' }];

export const TURNS_OF_BUNDLED_WORKER = [...WORK, ...REVIEW, ...END];
export const TURNS_OF_OTHERS = [...WORK, ...END];

export function makeExampleRepository(directory: string, environment: Record<string, string>): void {
  cpSync(join(EXAMPLES, 'project'), directory, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, env: environment });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=Turn titles into slugs');
}
