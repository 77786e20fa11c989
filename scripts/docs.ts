/** Writes the generated parts of the pages under docs/, between their marks, and leaves everything else alone. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refreshPage } from './docs/blocks.ts';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');

for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.md'))) {
  const path = join(folder, name);
  const before = readFileSync(path, 'utf8');
  const after = refreshPage(before);
  if (after === before) continue;
  writeFileSync(path, after);
  console.log(`wrote docs/${name}`);
}
