import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type Workshop } from '../journeys/workshop.ts';

/** Writes a contract as a person keeps it, beside the repository, and answers its path. */
export function contractFile(
  workshop: Workshop,
  members: Record<string, unknown> = {},
  name = 'raise-x.jsonc',
): string {
  const path = join(workshop.directory, name);
  writeFileSync(path, `// What x is to become.\n${JSON.stringify(contract(members), null, 2)}\n`);
  return path;
}

/** A worker that changes x to this value. */
export function raiseX(value: number, ...more: { do: 'say'; text: string }[]) {
  return { steps: [{ do: 'write' as const, path: 'src/x.ts', content: `export const x = ${value};\n` }, ...more] };
}
