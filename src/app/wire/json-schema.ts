/** JSON Schema as clients accept it: one object at the root, everything inline, no bound that the wire does not have. */
import { z } from 'zod';

export type JsonSchema = { type: 'object' } & Record<string, unknown>;

/** What a tool advertises for its input (`input`: defaults may be left out) or output (`output`). */
export function toolJsonSchema(schema: z.ZodType, side: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rendered } = z.toJSONSchema(schema, {
    io: side,
    reused: 'inline',
    override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema),
  });
  if (rendered['type'] !== 'object') throw new Error('a tool schema must be an object at its root');
  return rendered as JsonSchema;
}

/** zod states the limits of a double for every integer; the wire leaves a bound out where it has none. */
function dropSafeIntegerBounds(schema: Record<string, unknown>): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
}
