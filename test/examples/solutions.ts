/** What a worker does with each example: work that fulfils its contract, and work that looks like it and does not. */
import type { Step } from '../agents/script.ts';

export interface Solution {
  readonly fulfils: readonly Step[];
  readonly fails: readonly Step[];
  /** What becomes of the failing work. */
  readonly failure: { readonly code: string } | { readonly phase: string };
}

const FIXED = "title.trim().toLowerCase().replace(/\\s+/g, '-')";
const TESTS = `
test('four words are joined', () => {
  assert.equal(slug('The Quick Brown Fox'), 'the-quick-brown-fox');
});

test('spaces around and between words leave single hyphens', () => {
  assert.equal(slug('  Two   words '), 'two-words');
});
`;
const EDITOR_CONFIG =
  'root = true\n\n[*]\nindent_style = space\nindent_size = 2\nend_of_line = lf\ninsert_final_newline = true\n';
const USE = `
## Use

\`\`\`js
import { slug } from 'slugs';

slug('Hello World'); // 'hello-world'
\`\`\`
`;

const addTests: Step = { do: 'append', path: 'test/slug.test.js', content: TESTS };
const mkdir: Step = { do: 'mkdir', path: 'src/text' };
const move: Step = { do: 'move', path: 'src/slug.js', to: 'src/text/slug.js' };

export const SOLUTIONS: Readonly<Record<string, Solution>> = {
  'fix-a-bug': {
    fulfils: [{ do: 'edit', path: 'src/slug.js', from: "title.toLowerCase().replace(' ', '-')", to: FIXED }, addTests],
    fails: [addTests],
    failure: { code: 'verification_failed' },
  },
  'write-an-exact-file': {
    fulfils: [{ do: 'write', path: '.editorconfig', content: EDITOR_CONFIG }],
    fails: [{ do: 'write', path: '.editorconfig', content: EDITOR_CONFIG.trimEnd() }],
    failure: { code: 'verification_failed' },
  },
  'move-a-module': {
    fulfils: [mkdir, move, { do: 'edit', path: 'src/index.js', from: './slug.js', to: './text/slug.js' }],
    fails: [mkdir, move],
    failure: { code: 'verification_failed' },
  },
  'document-only': {
    fulfils: [
      { do: 'run', argv: ['node', '--test'], ask: true },
      { do: 'append', path: 'README.md', content: USE },
    ],
    fails: [{ do: 'append', path: 'src/slug.js', content: '// See the README.\n' }],
    failure: { phase: 'no_change_in_scope' },
  },
};
