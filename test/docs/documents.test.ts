import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BLOCKS, blocksIn, refreshPage } from '../../scripts/docs/blocks.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

test.each(PAGES)('%s says what the source says; `make docs` writes it anew', (page) => {
  expect(refreshPage(read(page))).toBe(read(page));
});

test('every part that can be generated stands in exactly one page', () => {
  expect(PAGES.flatMap((page) => blocksIn(read(page))).sort()).toEqual(Object.keys(BLOCKS).sort());
});

test.each(PAGES)('%s links only to pages and files that exist', (page) => {
  const prose = read(page).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, dirname(page), link)));
  expect(broken).toEqual([]);
});

test.each(PAGES)('every make target that %s names exists', (page) => {
  const targets = [...readFileSync(join(ROOT, 'Makefile'), 'utf8').matchAll(/^([a-z]+):/gm)].map(([, name]) => name);
  const named = [...read(page).matchAll(/`make ([a-z]+)`|^make ([a-z]+)/gm)].map(([, inline, line]) => inline ?? line);
  expect(named.filter((name) => !targets.includes(name))).toEqual([]);
});
