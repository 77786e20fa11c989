import { expect, test } from 'vitest';
import { contract, makeWorkshop } from './workshop.ts';

const FILL = 'for f in a b c d; do yes "$f is a line of text" | head -c 9000000 > src/$f.txt; done';

test('a diff of more than 32 MiB is said to be cut: in the bundle, its risks, and where inspect shows it', async () => {
  const words = 'many words '.repeat(500);
  const workshop = makeWorkshop({
    script: {
      prompts: [
        {
          steps: [
            { do: 'run', argv: ['sh', '-c', FILL] },
            { do: 'say', text: words },
          ],
        },
      ],
    },
  });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('large', contract());
  expect(shown).toMatchObject({ state: 'review_required', inspect_required: true });
  expect(shown['diff']).toMatch(/^diff --git a\/src\/a\.txt/);
  expect(Buffer.byteLength(shown['diff'])).toBe(12_288);
  expect(shown['risks'].join('\n')).toContain(`(SHA-256 ${shown['review_diff_sha256']})`);

  const first = await supervisor.inspect('large', { include: ['diff'] });
  expect(first['sections'].diff).toMatch(
    /^\[This diff has 3\d{7} bytes, SHA-256 .* its middle is missing\.\]\ndiff --git/,
  );
  const second = await supervisor.inspect('large', { cursor: first['next_cursor'] });
  expect(second['sections'].diff).toMatch(/a is a line of text/);
  const { sections } = await supervisor.inspect('large', { include: ['summary', 'risks'] });
  expect(sections.summary).toContain(words.trim());
  expect(sections.risks).toEqual(shown['risks']);
});
