import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PROMISES } from './promises.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const claims = PROMISES.flatMap((promise) => promise.claims.map((claim) => ({ promise: promise.number, ...claim })));
const isBuilt = ({ status }: { status: string }) => status === 'built';

/** The names that a test file gives to its tests: the quoted text with which a call opens. */
function namesATest(text: string, name: string): boolean {
  const spellings = [
    `'${name}'`,
    `"${name}"`,
    `\`${name}\``,
    `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  ];
  const calls = text.replaceAll(/\(\s+/g, '(');
  return spellings.some((spelling) => calls.includes(`(${spelling}`));
}

describe('the promises', () => {
  test('are numbered from 1 on, and each has a claim that is built', () => {
    expect(PROMISES.map(({ number }) => number)).toEqual(PROMISES.map((_, index) => index + 1));
    expect(PROMISES.filter((promise) => !promise.claims.some(isBuilt)).map(({ number }) => number)).toEqual([]);
  });

  test('name a proof for each claim that is built, and none for one that is only planned', () => {
    const wrong = claims.filter(
      (claim) => isBuilt(claim) !== Object.values(claim.provenBy).some((names) => names.length > 0),
    );
    expect(wrong.map(({ promise, says }) => `${promise}: ${says}`)).toEqual([]);
  });

  test('name only tests that exist', () => {
    const missing = claims.flatMap(({ provenBy }) =>
      Object.entries(provenBy).flatMap(([file, names]) => {
        const path = join(ROOT, file);
        const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
        return names.filter((name) => !namesATest(text, name)).map((name) => `${file}: ${name}`);
      }),
    );
    expect(missing).toEqual([]);
  });
});
