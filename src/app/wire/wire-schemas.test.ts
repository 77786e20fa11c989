import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { INSTRUCTIONS } from '../operation-texts.ts';
import { OPERATIONS } from '../operations.ts';

type Schema = Record<string, unknown>;

interface WireTool {
  readonly name: string;
  readonly annotations: Schema;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

const wire: { tools: WireTool[] } = JSON.parse(
  readFileSync(new URL('../../../wire/tools.json', import.meta.url), 'utf8'),
);

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function resolveReferences(schema: unknown, root: Schema): unknown {
  if (Array.isArray(schema)) return schema.map((each) => resolveReferences(each, root));
  if (!isObject(schema)) return schema;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Schema)[key], root);
    return resolveReferences(target, root);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolveReferences(value, root)]));
}

/** Different spellings of the same: a list of types is an `anyOf`, and a SHA-256 hash is allowed beside a SHA-1. */
function normalised(schema: Schema): Schema {
  const { type, pattern, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, anyOf: type.map((each) => ({ type: each })) };
  const widened = pattern === '^[0-9a-f]{40}$' ? '^[0-9a-f]{40}$|^[0-9a-f]{64}$' : pattern;
  return { ...rest, ...(type !== undefined && { type }), ...(widened !== undefined && { pattern: widened }) };
}

/** Every place where `ours` removes or narrows something of `theirs`. */
function differences(ours: unknown, theirs: unknown, place: string): string[] {
  if (Array.isArray(theirs)) {
    if (!Array.isArray(ours) || ours.length !== theirs.length) return [`${place}: ${JSON.stringify(ours)}`];
    return theirs.flatMap((each, index) => differences(ours[index], each, `${place}/${index}`));
  }
  if (!isObject(theirs) || !isObject(ours))
    return ours === theirs ? [] : [`${place}: ${JSON.stringify(ours)} for ${JSON.stringify(theirs)}`];
  const mine = normalised(ours);
  const wanted = normalised(theirs);
  return [...new Set([...Object.keys(mine), ...Object.keys(wanted)])].flatMap((key) => {
    if (key === 'description') return [];
    if (key === 'properties') return propertyDifferences(mine, wanted, place);
    return differences(mine[key], wanted[key], `${place}/${key}`);
  });
}

function propertyDifferences(mine: Schema, wanted: Schema, place: string): string[] {
  const ours = (mine['properties'] ?? {}) as Schema;
  return Object.entries((wanted['properties'] ?? {}) as Schema).flatMap(([name, schema]) =>
    differences(ours[name], schema, `${place}/${name}`),
  );
}

function* schemasWithin(schema: unknown, place: string): Generator<[string, Schema]> {
  if (Array.isArray(schema)) {
    for (const [index, each] of schema.entries()) yield* schemasWithin(each, `${place}/${index}`);
  } else if (isObject(schema)) {
    yield [place, schema];
    for (const [key, each] of Object.entries(schema)) yield* schemasWithin(each, `${place}/${key}`);
  }
}

const sides = OPERATIONS.flatMap(({ name, inputSchema, outputSchema }) => [
  { place: `${name} input`, schema: inputSchema, theirs: wire.tools.find((tool) => tool.name === name)?.inputSchema },
  {
    place: `${name} output`,
    schema: outputSchema,
    theirs: wire.tools.find((tool) => tool.name === name)?.outputSchema,
  },
]);

describe('the advertised schemas', () => {
  test('there are exactly the tools of the wire, with their annotations', () => {
    expect(OPERATIONS.map(({ name, annotations }) => ({ name, annotations }))).toEqual(
      wire.tools.map(({ name, annotations }) => ({ name, annotations })),
    );
  });

  test.each(sides)('nothing of the wire is removed or narrowed in the $place', ({ place, schema, theirs }) => {
    expect(differences(schema, resolveReferences(theirs, theirs as Schema), place)).toEqual([]);
  });

  test('what is added is optional and known here', () => {
    const added = sides.flatMap(({ place, schema, theirs }) =>
      Object.keys(schema['properties'] as Schema)
        .filter((name) => !((theirs as Schema)['properties'] as Schema)[name])
        .map((name) => `${place}: ${name}`),
    );
    expect(added.sort()).toEqual([
      'reasonix_control output: resume_required',
      'reasonix_delegate input: repository',
      'reasonix_delegate input: resume_message',
      'reasonix_delegate output: worker_review',
    ]);
  });

  test.each(sides)('every property in the $place is described', ({ place, schema }) => {
    const silent = [...schemasWithin(schema, place)].flatMap(([at, each]) =>
      Object.entries(isObject(each['properties']) && each['type'] === 'object' ? each['properties'] : {})
        .filter(([, property]) => !(property as Schema)['description'])
        .map(([name]) => `${at}/${name}`),
    );
    expect(silent).toEqual([]);
  });

  test.each(sides)('the $place has nothing that a client refuses', ({ place, schema }) => {
    expect(schema.type).toBe('object');
    expect(Object.keys(schema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(any|one|all)Of$/)]));
    for (const [at, each] of schemasWithin(schema, place)) {
      const refused = ['$ref', '$defs', '$schema', 'oneOf', 'allOf', 'prefixItems', 'propertyNames'].filter(
        (key) => key in each && !at.endsWith('properties'),
      );
      expect(refused, at).toEqual([]);
      if (each['type'] === 'array') expect(isObject(each['items']), at).toBe(true);
    }
  });

  test.each(sides)('the $place compiles in strict validators of both drafts', ({ schema }) => {
    expect(() => new Ajv({ strict: true }).compile(schema)).not.toThrow();
    expect(() => new Ajv2020({ strict: true }).compile(schema)).not.toThrow();
  });
});

describe('the texts', () => {
  test('the instructions say the way of a task in their first 512 characters', () => {
    const essentials = INSTRUCTIONS.slice(0, 512);
    for (const word of ['contract', 'worktree', 'review_required', 'finalize', 'review_tree_hash', 'remit/<task_id>']) {
      expect(essentials).toContain(word);
    }
    for (const { name } of OPERATIONS) expect(essentials).toContain(name);
  });

  test.each(OPERATIONS)(
    'the description of $name names its siblings and stays under the cut of clients',
    ({ name, description }) => {
      expect(Buffer.byteLength(description)).toBeLessThan(2048);
      for (const sibling of OPERATIONS.filter((each) => each.name !== name))
        expect(description).toContain(sibling.name);
    },
  );
});
