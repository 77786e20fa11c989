import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../base/index.ts';
import { TOOLS, toolContracts } from './registry.ts';
import { openSession } from './test-session.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

/** Paths of the arguments that say nothing of themselves. */
function undescribed(schema: Schema, path = ''): string[] {
  return [
    ...(schema.anyOf ?? []).flatMap((one) => undescribed(one, path)),
    ...(schema.items === undefined ? [] : undescribed(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...undescribed(field, `${path}.${name}`),
    ]),
  ];
}

/** Objects of a schema, itself first. */
function objectsIn(schema: Schema): Schema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return [...(schema.properties === undefined ? [] : [schema]), ...inner.flatMap(objectsIn)];
}

const CONTRACTS = toolContracts().map((contract) => [contract.name, contract] as const);

describe('the contracts', () => {
  test('are those of the tools that the design names', () => {
    expect(CONTRACTS.map(([name]) => name).sort()).toEqual(
      'bash complete_step delete_file delete_range edit_file glob grep ls move_file multi_edit read_file review_report todo_write write_file'.split(
        ' ',
      ),
    );
  });

  test.each(CONTRACTS)('of %s has all four fields', (_, contract) => {
    expect(contract).toEqual({
      name: expect.stringMatching(/^[a-z_]+$/),
      readOnly: expect.any(Boolean),
      description: expect.stringMatching(/^[A-Z].*\.$/),
      inputSchema: expect.objectContaining({ type: 'object', additionalProperties: false }),
    });
  });

  test.each(CONTRACTS)('of %s has a canonical schema', (_, { inputSchema }) => {
    expect(JSON.stringify(inputSchema)).toBe(canonicalJson(inputSchema));
  });

  test('would not pass for canonical with members in another order', () => {
    const shuffled = { type: 'object', properties: {} };
    expect(JSON.stringify(shuffled)).not.toBe(canonicalJson(shuffled));
  });

  test.each(CONTRACTS)('of %s describes every argument and takes no other', (_, { inputSchema }) => {
    expect(undescribed(inputSchema)).toEqual([]);
    expect(objectsIn(inputSchema).map((object) => object.additionalProperties)).not.toContain(undefined);
    expect(canonicalJson(inputSchema)).not.toMatch(/\$ref|oneOf|"anyOf"/);
  });

  test('find an argument without words, wherever it stands', () => {
    const inner = { properties: { silent: {} } };
    expect(undescribed({ properties: { list: { description: 'A list.', items: inner } } })).toEqual(['.list[].silent']);
  });

  test('are together smaller than 12 KB', () => {
    expect(Buffer.byteLength(canonicalJson(toolContracts()))).toBeLessThan(12_000);
  });

  test('say of every tool that only looks that it is read-only', () => {
    const writers = TOOLS.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    expect(writers).toEqual([
      'edit_file',
      'multi_edit',
      'write_file',
      'move_file',
      'delete_file',
      'delete_range',
      'bash',
    ]);
  });
});

describe('a call', () => {
  test.each([
    ['read_file', {}, /path: is missing.* It is: The file/],
    ['read_file', { path: 7 }, /path: .*expected string/],
    ['read_file', { file: 'a', path: 'a' }, /file: there is no such argument. Arguments: from, path, to\./],
    ['read_file', { paht: 'a' }, /paht: there is no such argument. Did you mean path\?/],
    ['read_file', 'a', /the arguments: .*expected object/],
    ['multi_edit', { path: 'a', edits: [{ old_string: 'a' }] }, /edits\[0\]\.new_string: is missing/],
    ['edit_file', { path: 'a', old_string: '', new_string: 'b' }, /old_string: /],
    ['todo_write', { items: [{ id: '1', text: 'x', status: 'finished' }] }, /items\[0\]\.status: .*"in_progress"/],
    ['review_report', { kind: 'review', verdict: 'pass', reviewed_paths: [], findings: [] }, /reviewed_paths: /],
    ['complete_step', { step: '1', result: 'x', evidence: [] }, /evidence: /],
  ])('of %s with %j runs nothing and names the field', async (name, input, message) => {
    const { call, ledger } = openSession({ a: 'a' });
    expect(await call(name, input)).toMatchObject({ isError: true, text: expect.stringMatching(message) });
    expect(ledger).toEqual([]);
  });

  test('of a tool that there is not is answered with those that there are', async () => {
    expect(await openSession().call('str_replace', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('read_file, ls, glob'),
    });
  });
});
