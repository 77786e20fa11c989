import { expect, test } from 'vitest';
import { COMMAND_OUTPUTS, outputSchema } from '../../scripts/docs/command-json.ts';
import type { Schema } from '../../scripts/docs/schema-table.ts';

/** Paths of the fields that say nothing of themselves; a fixed value needs no words, its object has them. */
function undescribed(schema: Schema, path = ''): string[] {
  const variants = (schema['oneOf'] ?? schema.anyOf ?? []) as Schema[];
  const silent = variants.filter((one) => one.type === 'object' && one.description === undefined);
  return [
    ...silent.map(() => `${path} (a variant)`),
    ...variants.flatMap((one) => undescribed(one, path)),
    ...(schema.items === undefined ? [] : undescribed(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description === undefined && field.const === undefined ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`),
    ]),
  ];
}

test.each(Object.entries(COMMAND_OUTPUTS))('each field that %s prints is described', (_command, schema) => {
  expect(undescribed(outputSchema(schema))).toEqual([]);
});

test('a field without words is found, wherever it stands', () => {
  const inner = { type: 'object', properties: { silent: { type: 'string' } } };
  const outer = { properties: { list: { description: 'A list.', items: { oneOf: [inner] } } } };
  expect(undescribed(outer as Schema)).toEqual(['.list[] (a variant)', '.list[].silent']);
});
