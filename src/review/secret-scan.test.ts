import { describe, expect, test } from 'vitest';
import { scanForSecrets } from './secret-scan.ts';

// Put together at run time, so that no text that looks like a credential stands in this repository.
const TOKEN = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LmNbVc'].join('_');
const KEY = ['-----BEGIN RSA', 'PRIVATE KEY-----\n'].join(' ') + 'MIIEpAIBAAKCAQEA7bq9'.repeat(30);

async function scan(content: string | Buffer, path = 'src/x.ts') {
  return scanForSecrets([{ path, content: Buffer.from(content) }]);
}

describe('a credential', () => {
  test.each<[string, string | Buffer]>([
    ['a token of a code host', `const t = '${TOKEN}';`],
    ['a private key', `${KEY}\n${'-----END RSA'} PRIVATE KEY-----\n`],
    ['a password in an address', `url: https://user:${'hunter2hunter2'}@example.test/`],
    ['a key of a model provider', `KEY=${['sk', 'a1b2c3d4'.repeat(5)].join('-')}`],
    ['one in UTF-16', Buffer.from(`\ufefft = ${TOKEN}`, 'utf16le')],
    ['one in UTF-16 without a mark', Buffer.from(`t = ${TOKEN}`, 'utf16le')],
    ['one in a file with a NUL', `\0\0${TOKEN}`],
    ['one under a comment that would switch the rules off', `// secretlint-disable\nconst t = '${TOKEN}';`],
  ])('is found: %s', async (_name, content) => {
    const { findings } = await scan(content);
    expect(findings).not.toEqual([]);
    expect(JSON.stringify(findings)).not.toContain(TOKEN);
  });

  test('is found in a file name', async () => {
    expect((await scan('', `notes/${TOKEN}.txt`)).findings).toEqual([{ path: 'notes/(its name)', rule: 'github' }]);
  });

  test('has its line named', async () => {
    expect((await scan(`a\nb\nconst t = '${TOKEN}';\n`)).findings).toEqual([
      { path: 'src/x.ts', rule: 'github', line: 3 },
    ]);
  });
});

describe('what a file held before', () => {
  const OTHER = TOKEN.replace('Zx9', 'Zx8');
  const scanChange = async (before: string, after: string, oldPath = 'src/x.ts', path = 'src/x.ts') =>
    (
      await scanForSecrets([{ path, content: Buffer.from(after) }], async () => ({
        path: oldPath,
        content: Buffer.from(before),
      }))
    ).findings;

  test('is no finding of a change, wherever its line stands now', async () => {
    expect(await scanChange(`const t = '${TOKEN}';\n`, `// new\n\nconst t = '${TOKEN}';\nmore\n`)).toEqual([]);
    expect(await scanChange('{}', `{}`, `src/${TOKEN}.json`, `src/${TOKEN}.json`)).toEqual([]);
  });

  test.each<[string, string, string, string?]>([
    ['another token in that line', `const t = '${TOKEN}';`, `const t = '${OTHER}';`],
    ['another one beside it', `const t = '${TOKEN}';`, `const t = '${TOKEN}';\nconst u = '${OTHER}';`],
    [
      'another key below the same first line',
      `${KEY}\n${'-----END RSA'} PRIVATE KEY-----\n`,
      `${KEY.replaceAll('7bq9', '8cr1')}\n${'-----END RSA'} PRIVATE KEY-----\n`,
    ],
    ['the token in the name', 'x', 'x', `src/${TOKEN}.ts`],
  ])('excuses nothing else: %s', async (_what, before, after, path) => {
    expect(await scanChange(before, after, 'src/x.ts', path)).toHaveLength(1);
  });
});

test('a long run of what a key is made of is looked through, too', async () => {
  expect((await scan('sk-'.repeat(3_000_000))).findings).toHaveLength(1);
});

test('of many files each is looked at, and each finding is told by its own file and line', async () => {
  const files = Array.from({ length: 400 }, (_, n) => ({
    path: `src/f${n}.ts`,
    content: Buffer.from(n % 100 === 7 ? `a\nconst t = '${TOKEN}';\n` : 'x\n'.repeat(500)),
  }));
  const { findings } = await scanForSecrets(files);
  expect(findings).toEqual([7, 107, 207, 307].map((n) => ({ path: `src/f${n}.ts`, rule: 'github', line: 2 })));
});

test('what only looks like one is let through', async () => {
  const harmless = 'password = "correct-horse-battery"\ntoken: process.env.TOKEN\nconst sk = "sk-test";\n';
  expect(await scan(harmless, 'testdata/credentials.json')).toEqual({ findings: [], notScanned: [] });
});

test('a file that is too large is said not to be scanned', async () => {
  const { notScanned } = await scan(Buffer.alloc(11 * 1024 * 1024, 'a'));
  expect(notScanned).toEqual([{ path: 'src/x.ts', reason: 'larger than 10 MiB' }]);
});
