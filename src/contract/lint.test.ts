import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wire from '../../wire/tools.json' with { type: 'json' };
import { canonicalContract, contractHash } from './canonical.ts';
import { contractJsonSchema, type LintOptions, lintContract, PLACEHOLDER, parseStoredContract } from './index.ts';

const minimal = {
  schema_version: 1,
  objective: 'Add a slug function.',
  user_outcome: 'Titles become slugs.',
  write_scope: ['src/**'],
  acceptance_criteria: [{ id: 'C1', requirement: 'Tests pass.', evidence: 'automated' }],
  verification: [{ id: 'V1', argv: ['npm', 'test'], proves: ['C1'] }],
};

function accepted(input: unknown, options?: LintOptions) {
  const result = lintContract(input, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

function problemsOf(input: unknown, options?: LintOptions): string[] {
  const result = lintContract(input, options);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('the schema', () => {
  test('is the one of the wire, field for field, with a description on every property', () => {
    const [delegate] = wire.tools;
    const root = delegate?.inputSchema as unknown as Json;
    const property = (root as { properties: { contract: Json } }).properties.contract;
    expect(undescribed(contractJsonSchema() as Json)).toEqual(resolved(property, root));
    expect(withoutDescription(contractJsonSchema() as Json)).toEqual([]);
  });

  test('has no reference, since some clients refuse a tool that has one', () => {
    expect(JSON.stringify(contractJsonSchema())).not.toMatch(/\$ref|\$defs|prefixItems|oneOf|anyOf/);
  });
});

describe('an accepted contract', () => {
  test('has every default filled in and none of them in its canonical text', () => {
    const { contract, canonical } = accepted(minimal);
    expect(contract.verification[0]).toMatchObject({ cwd: '.', timeout_seconds: 600 });
    expect(contract).toMatchObject({ forbidden_scope: [], allowed_commands: [], file_assertions: [] });
    expect(JSON.parse(canonical)).toEqual(minimal);
  });

  test('has the same hash when its defaults are written out in another order', () => {
    const spelledOut = {
      pause_conditions: [],
      file_assertions: [],
      allowed_commands: [],
      ...Object.fromEntries(Object.entries(minimal).reverse()),
      verification: [{ timeout_seconds: 600, proves: ['C1'], cwd: '', argv: ['npm', 'test'], id: 'V1' }],
    };
    expect(accepted(spelledOut).hash).toBe(accepted(minimal).hash);
    expect(accepted({ ...minimal, objective: 'Another.' }).hash).not.toBe(accepted(minimal).hash);
  });

  test('comes back from its stored text', () => {
    const { contract, canonical, hash } = accepted(minimal);
    const stored = parseStoredContract(canonical);
    expect(stored).toEqual(contract);
    expect([canonicalContract(stored), contractHash(stored)]).toEqual([canonical, hash]);
    expect(() => parseStoredContract('{"schema_version":1}')).toThrow('stored contract');
  });

  test('has its paths folded and made relative to the repository', () => {
    const { contract } = accepted(
      {
        ...minimal,
        verified_context: [{ path: './docs//guide.md', reason: 'Read.' }],
        write_scope: ['./src//a/', '.', 'app/(admin)/**', 'pages/[id].tsx'],
        forbidden_scope: ['src/a/secret/*'],
        allowed_commands: [{ id: 'L1', argv: ['npm', 'run', 'lint'], cwd: 'tools/' }],
        file_assertions: [{ id: 'F1', path: 'src/a/v.txt', expected_utf8: '1\n', proves: ['C1'] }],
      },
      { prefix: 'packages/web[1]/' },
    );
    const root = 'packages/web[1]';
    expect(contract).toMatchObject({
      verified_context: [{ path: `${root}/docs/guide.md` }],
      write_scope: [`${root}/src/a`, root, `${root}/app/(admin)/**`, `${root}/pages/[id].tsx`],
      forbidden_scope: [`${root}/src/a/secret/*`],
      verification: [{ cwd: root }],
      allowed_commands: [{ cwd: `${root}/tools`, timeout_seconds: 120 }],
      file_assertions: [{ path: `${root}/src/a/v.txt` }],
    });
  });

  test('needs no proof for what the reviewer approves', () => {
    const criteria = [{ id: 'R1', requirement: 'It reads well.', evidence: 'review' }];
    accepted({ ...minimal, acceptance_criteria: criteria, verification: [] });
  });
});

describe('a path is refused', () => {
  test.each([
    ['/etc/passwd', 'is absolute'],
    ['../x', 'goes up'],
    ['src/../../x', 'goes up'],
    ['C:/x', 'drive letter'],
    ['src\\x', 'backslash'],
    ['src/\0', 'control character'],
    ['src/a\nb', 'control character'],
    ['.git/config', "Git's own data"],
    ['sub/.GIT', "Git's own data"],
    ['src/\ud800', 'not valid Unicode'],
    ['!src/x', 'negation'],
    ['.', 'whole repository'],
    ['{a,../b}/x', 'goes up'],
    ['{a,.git}/x', "Git's own data"],
    ['{a,/b}', 'empty name'],
    ['{a,b}'.repeat(9), 'alternatives'],
    ['{a,b}'.repeat(200), 'alternatives'],
  ])('as a pattern: %j', (pattern, message) => {
    expect(problemsOf({ ...minimal, write_scope: [pattern] }).join()).toContain(`write_scope[0]: `);
    expect(problemsOf({ ...minimal, write_scope: [pattern] }).join()).toContain(message);
  });

  test.each(['a*', 'a?b', '{a,b', '{a}'])('as a pattern under the folder %j, which no pattern can spell', (prefix) => {
    expect(problemsOf(minimal, { prefix })).toEqual([
      expect.stringContaining("cannot be joined to the caller's folder"),
    ]);
  });

  test('when it grows too long under the caller’s folder', () => {
    expect(problemsOf(minimal, { prefix: 'x'.repeat(1023) })[0]).toContain('is longer than 1024');
  });
});

describe('lint', () => {
  test('names everything that is wrong at once, with its place', () => {
    const problems = problemsOf(
      {
        schema_version: 2,
        objective: '  ',
        write_scope: ['src/**', '/abs', 'src/**', 'docs/a.md', 'lib/x/**'],
        forbidden_scope: ['docs/**', 'LIB'],
        surprise: true,
        acceptance_criteria: [
          { id: 'C1', requirement: 'a', evidence: 'automated' },
          { id: 'C1', requirement: 'b', evidence: 'review' },
          { id: 'C2', requirement: 'c', evidence: 'automated' },
          { id: '9', requirement: 'd', evidence: 'maybe' },
        ],
        verification: [
          { id: 'V1', argv: 'npm test', proves: ['C1'] },
          { id: 'V2', argv: ['git', 'push'], proves: ['C1', 'C9', 'C1'] },
          { id: 'V2', argv: [''], cwd: '../x', proves: ['C1'] },
          { id: 'V3', argv: [' '], proves: ['C1'] },
        ],
        file_assertions: [
          { id: 'F1', path: 'docs/a.md', expected_utf8: '', proves: ['C1'] },
          { id: 'F2', path: 'other.md', expected_utf8: 'é'.repeat(40_000), proves: ['C1'] },
          { id: 'F3', path: 'src/v', expected_utf8: '1', proves: ['C1'] },
          { id: 'F4', path: 'src/v', expected_utf8: '2', proves: ['C1'] },
        ],
      },
      { denyCommand: (argv) => (argv.includes('push') ? { reason: 'pushes', hint: 'Build.' } : undefined) },
    );
    for (const expected of [
      'schema_version: must be 1',
      'objective: is blank',
      'user_outcome: is missing',
      'write_scope[1]: is absolute',
      'write_scope[2]: repeats write_scope[0]',
      'write_scope[3]: can never be written: "docs/**" in forbidden_scope forbids it',
      'write_scope[4]: can never be written',
      'surprise: is not a field of the contract',
      'acceptance_criteria[1].id: repeats the id "C1" of acceptance_criteria[0]',
      'acceptance_criteria[2]: is automated, but nothing proves "C2"',
      'acceptance_criteria[3].id: is no valid id',
      'acceptance_criteria[3].evidence: must be "automated" or "review"',
      'verification[0].argv: must be a list, not a text',
      'verification[1].argv: is denied by policy: pushes',
      'verification[1].proves[1]: names no acceptance criterion: "C9"',
      'verification[1].proves[2]: repeats "C1"',
      'verification[2].cwd: goes up',
      'verification[3].argv[0]: names no program',
      'file_assertions[0].path: can never be written',
      'file_assertions[1].expected_utf8: is larger than 65536 bytes',
      'file_assertions[3]: expects another content',
    ])
      expect(problems).toContainEqual(expect.stringContaining(expected));
    const complete = { ...minimal, file_assertions: [{ id: 'F1', path: 'x', expected_utf8: '', proves: ['C1'] }] };
    expect(problemsOf(complete)).toEqual(['file_assertions[0].path: lies outside write_scope']);
  });

  test.each([
    [{ write_scope: [] }, 'write_scope: needs at least 1 entry'],
    [{ write_scope: [''] }, 'write_scope[0]: is empty'],
    [{ write_scope: ['x'.repeat(1025)] }, 'write_scope[0]: is longer than 1024 characters'],
    [{ pause_conditions: null }, 'pause_conditions: must be a list, not null'],
    [{ verification: [{ ...minimal.verification[0], timeout_seconds: 0 }] }, 'timeout_seconds: must be at least 1'],
    [
      { verification: [{ ...minimal.verification[0], timeout_seconds: 9999 }] },
      'timeout_seconds: must be at most 1800',
    ],
    [
      { verification: [{ ...minimal.verification[0], timeout_seconds: 1.5 }] },
      'must be a whole number, not a fraction',
    ],
    [{ schema_version: undefined }, 'schema_version: is missing'],
  ])('says in plain words what is wrong with %j', (change, message) => {
    expect(problemsOf({ ...minimal, ...change })).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    [{ invariant: [] }, 'Did you mean "invariants"?'],
    [{ writeScope: [] }, 'Did you mean "write_scope"?'],
    [{ path_base: 'repository' }, 'It is an argument beside the contract, in the call of reasonix_delegate.'],
    [{ verification: [{ ...minimal.verification[0], shell: true }] }, 'The fields here are: id, argv, cwd,'],
    [{ verification: [{ ...minimal.verification[0], pvoves: [] }] }, 'Did you mean "proves"?'],
    [
      {
        acceptance_criteria: [{ id: 'tests-pass', requirement: 'Tests pass.', evidence: 'review' }],
        verification: [{ id: 'V1', argv: ['npm', 'test'], proves: ['test-pass'] }],
      },
      'Did you mean "tests-pass"?',
    ],
    [{ verification: [...minimal.verification, { id: 'V2', argv: ['x'], proves: ['C7'] }] }, 'Known: C1.'],
    [{ write_scope: ['../x'] }, 'as an argument of the delegate call'],
  ])('hints at what was meant with %j', (change, hint) => {
    const result = lintContract({ ...minimal, ...change });
    expect(result.ok ? [] : result.problems.map((each) => each.hint)).toEqual([expect.stringContaining(hint)]);
  });

  test.each(['&&', '||', '|', ';', '>', '<', '&'])('refuses the argument %j: no shell reads it', (operator) => {
    const argv = ['npm', 'test', operator, 'npm'];
    const message = expect.stringContaining(`.argv[2]: is "${operator}", which only a shell understands`);
    expect(problemsOf({ ...minimal, verification: [{ id: 'V1', argv, proves: ['C1'] }] })).toEqual([message]);
    expect(problemsOf({ ...minimal, allowed_commands: [{ id: 'A1', argv }] })).toEqual([message]);
    accepted({ ...minimal, allowed_commands: [{ id: 'A1', argv: ['rg', `a${operator}b`] }] });
  });

  test('tells how a variable is set for a command', () => {
    const result = lintContract({ ...minimal, allowed_commands: [{ id: 'A1', argv: ['CI=1', 'npm', 'test'] }] });
    expect(result.ok ? [] : result.problems).toEqual([
      {
        path: 'allowed_commands[0].argv[0]',
        message: 'sets a variable and names no program',
        hint: 'Set a variable with env: ["env","CI=1","npm","test"].',
      },
    ]);
  });

  test('gives the denial of policy as a message and a hint, one sentence each', () => {
    const denyCommand = () => ({ reason: 'shells (sh)', hint: 'Name the program.' });
    const result = lintContract(minimal, { denyCommand });
    expect(result.ok ? [] : result.problems).toEqual([
      { path: 'verification[0].argv', message: 'is denied by policy: shells (sh)', hint: 'Name the program.' },
    ]);
  });

  test('refuses the sentences of the template', () => {
    expect(problemsOf({ ...minimal, objective: `${PLACEHOLDER}is to be done.` })).toEqual([
      'objective: is still the text of the template',
    ]);
  });

  test('does not report a reference to an entry that is wrong in itself', () => {
    const criteria = [{ id: 'C1', evidence: 'automated' }];
    expect(problemsOf({ ...minimal, acceptance_criteria: criteria })).toEqual([
      'acceptance_criteria[0].requirement: is missing',
    ]);
  });

  test('takes a command line option or a strange name as the plain file name that it is', () => {
    const paths = ['-x', '--output=x', 'a b', '#x', '$(x)'];
    const assertions = paths.map((path, index) => ({ id: `F${index}`, path, expected_utf8: '', proves: ['C1'] }));
    expect(accepted({ ...minimal, write_scope: paths, file_assertions: assertions }).contract.write_scope).toEqual(
      paths,
    );
  });

  test('answers a contract of two megabytes with one clear problem', () => {
    const large = { ...minimal, invariants: Array.from({ length: 200 }, () => 'x'.repeat(10_000)) };
    expect(problemsOf(large)).toEqual([': is larger than 1048576 bytes']);
    const escaped = { ...minimal, invariants: Array.from({ length: 20 }, () => '\u0001'.repeat(19_000)) };
    expect(problemsOf(escaped)).toEqual([': is larger than 1048576 bytes']);
  });

  test('refuses patterns that spell out too much together, before it compares them', () => {
    const write_scope = Array.from({ length: 500 }, (_, n) => `${n}${'{a,b}'.repeat(8)}`);
    expect(problemsOf({ ...minimal, write_scope })).toEqual(['write_scope: spells out more than 4096 alternatives']);
  });

  test('refuses long patterns that are made to be slow on its own paths, before it compares them', () => {
    const write_scope = Array.from({ length: 500 }, (_, n) => `${'a'.repeat(400)}${n}`);
    const forbidden_scope = Array.from({ length: 500 }, (_, n) => `*${'a'.repeat(200)}b${n}`);
    expect(problemsOf({ ...minimal, write_scope, forbidden_scope })).toEqual([
      ': has too many long patterns to compare with its paths',
    ]);
  });

  test('takes a large scope of a real repository', () => {
    const write_scope = Array.from({ length: 1000 }, (_, n) => `packages/package-${n}/src/index.ts`);
    const forbidden_scope = Array.from({ length: 100 }, (_, n) => `packages/*/generated-${n}/**`);
    accepted({ ...minimal, write_scope, forbidden_scope });
  });

  test('reads a thousand braces without a partner as the letters that they are', () => {
    const write_scope = Array.from({ length: 500 }, (_, n) => `${'{,'.repeat(500)}${n}`);
    expect(accepted({ ...minimal, write_scope }).contract.write_scope).toEqual(write_scope);
  });

  test('shows no more than a hundred problems, each short and visible', () => {
    const result = lintContract({
      ...minimal,
      ...Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`\u202e${n}`, 1])),
    });
    expect(result.ok ? [] : result.problems).toHaveLength(101);
    expect(result.ok ? '' : result.problems[0]?.path).toBe('\\u{202E}0');
  });

  test.each([
    undefined,
    null,
    'text',
    42,
    [],
    () => 1,
    JSON.parse('{"__proto__":{"write_scope":["a"]}}'),
    { ...minimal, verification: null, write_scope: { length: 3 } },
  ])('refuses %j without failing', (input) => {
    expect(lintContract(input).ok).toBe(false);
  });

  test('refuses what is nested deeply or contains itself', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const ring: Record<string, unknown> = { ...minimal };
    ring['invariants'] = ring;
    expect([lintContract({ ...minimal, invariants: deep }).ok, lintContract(ring).ok]).toEqual([false, false]);
  });

  test('never fails on any JSON value in any place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(minimal), 'file_assertions', 'x'), fc.jsonValue(), (field, value) => {
        expect(typeof lintContract({ ...minimal, [field]: value }).ok).toBe('boolean');
        expect(typeof lintContract({ ...minimal, [field]: [value] }).ok).toBe('boolean');
      }),
    );
  });

  test('gives one hash to a contract, whatever the order of its keys and whichever defaults are written out', () => {
    const spelled: Record<string, unknown> = {
      ...minimal,
      verified_context: [],
      forbidden_scope: [],
      invariants: [],
      non_goals: [],
      allowed_commands: [],
      file_assertions: [],
      pause_conditions: [],
    };
    const command: Record<string, unknown> = { ...minimal.verification[0], cwd: '.', timeout_seconds: 600 };
    const reordered = (value: Record<string, unknown>, optional: readonly string[]) =>
      fc
        .tuple(
          fc.shuffledSubarray(Object.keys(value), { minLength: Object.keys(value).length }),
          fc.subarray([...optional]),
        )
        .map(([keys, left]) =>
          Object.fromEntries(keys.filter((key) => !left.includes(key)).map((key) => [key, value[key]])),
        );
    const optional = Object.keys(spelled).filter((key) => !Object.hasOwn(minimal, key));
    fc.assert(
      fc.property(reordered(spelled, optional), reordered(command, ['cwd', 'timeout_seconds']), (contract, each) => {
        expect(accepted({ ...contract, verification: [each] })).toEqual(accepted(minimal));
      }),
    );
  });

  test('changes nothing when it reads its own result, whatever the folder of the caller', () => {
    const name = fc.constantFrom(
      'a',
      'b.ts',
      '.',
      '',
      '**',
      '*',
      '{a,b}',
      '{x',
      '}',
      'c:',
      '!n',
      '[id]',
      'é',
      '.github',
    );
    const written = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(
        fc.uniqueArray(written, { minLength: 1, maxLength: 3 }),
        written,
        written,
        (write_scope, cwd, prefix) => {
          const verification = [{ id: 'V1', argv: ['x'], cwd, proves: ['C1'] }];
          const first = lintContract({ ...minimal, write_scope, verification }, { prefix });
          if (!first.ok) return;
          const second = accepted(JSON.parse(first.canonical));
          expect(second).toEqual(first);
          expect(accepted(first.contract).hash).toBe(first.hash);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

interface Json {
  [key: string]: Json;
}

function resolved(node: Json, root: Json): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => resolved(each, root));
  const reference: unknown = node['$ref'];
  if (typeof reference === 'string') {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<Json>((at, key) => at[key] as Json, root);
    return resolved(target, root);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value, root)]));
}

function undescribed(node: Json): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(undescribed);
  const entries = Object.entries(node).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([key, value]) => [key, undescribed(value)]));
}

function withoutDescription(node: Json, at = ''): string[] {
  const missing = typeof node['description'] === 'string' ? [] : [at];
  const properties = Object.entries(node['properties'] ?? {}).flatMap(([key, child]) =>
    withoutDescription(child, `${at}.${key}`),
  );
  return [...missing, ...properties, ...(node['items'] ? withoutDescription(node['items'], `${at}[]`) : [])];
}
