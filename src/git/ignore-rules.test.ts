import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinIgnoreRules } from './ignore-rules.ts';
import { makeFixture, put } from './test-fixture.ts';

const FOLDERS = ['', 'b', 'b/c', 'x y', 'we[i]rd*'];
const rule = fc.constantFrom(
  '*.o',
  '/a',
  'b/',
  '!b/',
  'c/a',
  '/c/',
  '!a',
  '**/a',
  'a/**',
  'b/**/a',
  '# no',
  '',
  '\\#h',
  '\\!e',
  'a ',
  'a\\ ',
  '*',
  '!*/',
  '/*',
  '!/c',
  'we[i]rd\\*',
  '[ab]',
  '?',
  'a\r',
  '!*.o',
  'x y/a',
);
const PATHS = FOLDERS.flatMap((folder) =>
  ['a', 'k.o', '#h', '!e', 'a ', 'n/a', 'n/k.o', 'c/a'].map((name) => (folder === '' ? name : `${folder}/${name}`)),
);

test('rules joined into one file ignore exactly what Git ignores by the separate files', () => {
  using fixture = makeFixture({ empty: true });
  for (const path of PATHS) put(join(fixture.source, path), 'x');
  const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.tuple(...FOLDERS.map(() => rules)), (texts) => {
      for (const [at, folder] of FOLDERS.entries()) {
        mkdirSync(join(fixture.source, folder), { recursive: true });
        put(join(fixture.source, folder, '.gitignore'), texts[at] ?? '');
      }
      const joined = join(fixture.folder, 'joined');
      put(
        joined,
        Buffer.from(
          joinIgnoreRules(
            ['weak'],
            FOLDERS.map((directory, at) => ({ directory, text: texts[at] ?? '' })),
          ),
          'latin1',
        ),
      );
      const list = (option: string) => fixture.git('ls-files', '--others', '-z', option);
      expect(list(`--exclude-from=${joined}`)).toBe(list('--exclude-per-directory=.gitignore'));
    }),
    { numRuns: 120 },
  );
});
