import { evaluate, parse as parseJson } from '@humanwhocodes/momoa';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { changedLines } from './changed-lines.ts';
import type { Entry } from './client.ts';
import { entryText, setEntry } from './edit.ts';

const JSON_PATH = ['mcpServers', 'remit'] as const;
const TOML_PATH = ['mcp_servers', 'remit'] as const;
const first: Entry = { command: '/bin/remit', args: ['serve'], timeout: 900_000 };
const second: Entry = { command: '/opt/a "b"/remit,', args: ['serve', '--root', '/x\u007f\\y'], trust: true };

const json = (text: string, entry: Entry = first) => setEntry(text, 'commented json', JSON_PATH, entry);
const toml = (text: string, entry: Entry = first) => setEntry(text, 'toml', TOML_PATH, entry);
const readToml = (text: string) => parseToml(text, { integersAsBigInt: 'asNeeded' });
const readJson = (text: string) =>
  evaluate(parseJson(text.replace(/^\ufeff/, ''), { mode: 'jsonc', allowTrailingCommas: true })) as Record<
    string,
    unknown
  >;

describe('an entry in JSON with comments', () => {
  test.each([
    ['an empty file', '', '{\n  "mcpServers": {\n    "remit": ENTRY\n  }\n}\n'],
    ['an empty object', '{}\n', '{\n  "mcpServers": {\n    "remit": ENTRY\n  }\n}\n'],
    [
      'other members, a comment after the last one',
      '{\n  // mine\n  "a": 1 // last\n}\n',
      '{\n  // mine\n  "a": 1, // last\n  "mcpServers": {\n    "remit": ENTRY\n  }\n}\n',
    ],
    [
      'other servers and a comma at the end',
      '{\n  "mcpServers": {\n    "b": { "command": "b" }, /* b */\n    // none yet\n  },\n}',
      '{\n  "mcpServers": {\n    "b": { "command": "b" }, /* b */\n    // none yet\n    "remit": ENTRY\n  },\n}',
    ],
    [
      'no servers yet, but a comment where they belong',
      '{\n  "mcpServers": { // servers\n  }\n}',
      '{\n  "mcpServers": { // servers\n    "remit": ENTRY\n  }\n}',
    ],
  ])('goes into %s', (_where, before, after) => {
    const entry = JSON.stringify(first, null, 2).replaceAll('\n', '\n    ');
    expect(json(before)).toBe(after.replace('ENTRY', entry));
  });

  test('is indented with tabs and ends its lines as the file does', () => {
    const after = json('{\r\n\t"mcpServers": {\r\n\t\t"b": {}\r\n\t}\r\n}\r\n', { command: 'c' });
    expect(after).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"b": {},\r\n\t\t"remit": {\r\n\t\t\t"command": "c"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  test('leaves every character of any file where it is, in order, and changes one member', () => {
    fc.assert(
      fc.property(document(), (before) => {
        const after = json(before);
        expect(isSubsequence(before, after)).toBe(true);
        const [was, is] = [readJson(before), readJson(after)];
        const others = was['mcpServers'] as Record<string, unknown> | undefined;
        expect(is).toEqual({ ...was, mcpServers: { ...others, remit: first } });
        expect(json(after)).toBe(after);
        expect(json(json(before, second))).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['{ "a": 1, "a": }', 'line 1, column 16'],
    ['{\n  "mcpServers": [1]\n}', 'line 2, column 3: "mcpServers" is no object'],
    ['{ "mcpServers": {}, "mcpServers": {} }', 'stands there a second time'],
    ['{ "mcpServers": { "remit": {}, "remit": {} } }', 'stands there a second time'],
    ['[]', 'it holds no JSON object'],
    ['[[['.repeat(20_000), 'it is nested too deeply'],
  ])('is refused for %.40j', (text, reason) => {
    expect(() => json(text)).toThrow(reason);
  });

  test('is refused in a plain JSON file that has comments, at their place', () => {
    expect(() => setEntry('{\n  // no\n}', 'json', JSON_PATH, first)).toThrow('line 2, column 3');
  });
});

describe('an entry in TOML', () => {
  const block = entryText('toml', TOML_PATH, first);
  const others = '# mine\nmodel = "m" # which\n\n[mcp_servers.b]\nargs = [\n  "[mcp_servers.remit]",\n]\n';

  test('stands at the end, after one blank line', () => {
    expect(toml(others)).toBe(`${others}\n${block}\n`);
    expect(toml(others.trimEnd())).toBe(`${others}\n${block}\n`);
    expect(toml('')).toBe(`${block}\n`);
  });

  test('is replaced with its own tables, whatever looks like them, and nothing else', () => {
    const inner = '[mcp_servers.remit.env]\nA = """\n[b]\n"""\n';
    const before = `${others}\n[mcp_servers . "remit"]\ncommand = "old"\n\n# about c\n[c]\nd = 1\n\n${inner}# end\n`;
    expect(toml(before)).toBe(`${others}\n${block}\n\n# about c\n[c]\nd = 1\n\n# end\n`);
  });

  test('keeps the ends of lines of the file', () => {
    expect(toml('a = 1\r\n', { command: 'c' })).toBe('a = 1\r\n\r\n[mcp_servers.remit]\r\ncommand = "c"\r\n');
  });

  test('leaves every character of any file where it is and changes one table', () => {
    fc.assert(
      fc.property(fc.array(tomlTable(), { maxLength: 6 }), fc.nat(6), (tables, at) => {
        const text = tables.map((table, index) => `[t${index}]\n${table}`);
        const before = text.join('\n');
        const after = toml(before);
        expect(after.startsWith(before)).toBe(true);
        expect(readToml(after)).toMatchObject({ ...readToml(before), mcp_servers: { remit: first } });
        expect(toml(after)).toBe(after);
        const between = (entry: Entry) =>
          [...text.slice(0, at), `${entryText('toml', TOML_PATH, entry)}\n`, ...text.slice(at)].join('\n');
        expect(toml(between(first), second)).toBe(between(second));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a = 1\nb = [', 'line 2'],
    ['a = 1\na = 2', 'line 2'],
    ['mcp_servers = { b = { command = "b" } }', 'add it by hand'],
    ['mcp_servers.remit.command = "b"', 'change it by hand'],
    ['mcp_servers = 1', 'by hand'],
  ])('is refused for %j', (text, reason) => {
    expect(() => toml(text)).toThrow(reason);
  });
});

test.each(['commented json', 'toml'] as const)('a byte order mark stays in front of %s', (syntax) => {
  const text = setEntry('\ufeff', syntax, JSON_PATH, first);
  expect(text).toBe(`\ufeff${entryText(syntax, JSON_PATH, first)}\n`);
  expect(setEntry(text, syntax, JSON_PATH, first)).toBe(text);
});

test('an entry with its members in another order is the same entry', () => {
  const turned = Object.fromEntries(Object.entries(first).reverse());
  expect(json(json('', turned))).toBe(json('', turned));
});

test('only the lines that differ are shown', () => {
  expect(changedLines('a\nb\nc\n', 'a\nx\ny\nc\n')).toBe('@@ line 2 @@\n-b\n+x\n+y');
  expect(changedLines('a\n', 'a\na\n')).toBe('@@ line 2 @@\n+a');
});

/** A JSON object as people write it: comments and white space anywhere, commas at the end, one line or many. */
function document(): fc.Arbitrary<string> {
  const gap = fc.constantFrom('', ' ', '\n', '\n  ', ' /* "x": { */ ', ' // }, "y\n', '\t');
  const key = fc.constantFrom<string>('a', 'b', '__proto__', 'constructor', 'ü"{');
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue({ maxDepth: 0 }).map((one) => JSON.stringify(one)),
      objectOf(fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 3 })),
    ),
  }));
  const members = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 3 });
  const servers = objectOf(members).map((text) => ['mcpServers', text] as [string, string]);
  const roots = fc.tuple(members, fc.option(servers, { nil: undefined }), fc.nat(3));
  return objectOf(roots.map(([some, own, at]) => (own === undefined ? some : some.toSpliced(at, 0, own))));

  function objectOf(entries: fc.Arbitrary<[string, string][]>): fc.Arbitrary<string> {
    return fc
      .tuple(entries, fc.array(gap, { minLength: 12, maxLength: 12 }), fc.boolean())
      .map(([all, gaps, comma]) => {
        const parts = all.map(
          ([name, text], at) => `${gaps[at]}${JSON.stringify(name)}${gaps[at + 4]}:${gaps[at + 8]}${text}`,
        );
        return `{${parts.join(',')}${comma && all.length > 0 ? ',' : ''}${gaps[11]}}`;
      });
  }
}

/** The body of a TOML table whose values may hold what looks like headers. */
function tomlTable(): fc.Arbitrary<string> {
  const values = [
    '1',
    '"[mcp_servers.remit]"',
    '"""\n[mcp_servers.remit]\ncommand = "no"\n"""',
    "'''\n[b]'''",
    '[\n[1],\n[2],\n]',
    '1979-05-27T07:32:00Z',
    '99999999999999999999',
  ];
  const line = fc.tuple(fc.constantFrom(...values), fc.constantFrom('', ' # [mcp_servers.remit]'));
  return fc
    .array(line, { maxLength: 4 })
    .map((lines) => lines.map(([value, end], at) => `k${at} = ${value}${end}\n`).join(''));
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (part.startsWith(letter, at)) at += letter.length;
  return at === part.length;
}
