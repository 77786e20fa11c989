import { expect, test } from 'vitest';
import { compileScope } from '../contract/index.ts';
import { leadsOut } from './links.ts';

const SCOPE = compileScope({ write_scope: ['**'], forbidden_scope: ['secret/**'] });
const TREE: Record<string, string> = {
  'src/up': '..',
  'src/a/b/root': '../../../',
  'src/loop': 'loop',
  'src/lib': '../lib',
  'src/abs': '/etc',
};
const readLink = async (path: string) => TREE[path];

test.each([
  ['src/l', 'x.ts', false],
  ['src/l', '../lib/x', false],
  ['src/l', './lib/y', false],
  ['src/l', 'missing/../x.ts', false],
  ['l', '.', false],
  ['src/l', '/etc/passwd', true],
  ['src/l', '', true],
  ['src/l', '../..', true],
  ['src/l', '../../outside', true],
  ['src/l', 'up/../outside', true],
  ['src/a/b/l', 'root/../x', true],
  ['src/l', 'up/secret/key', true],
  ['src/l', '../secret', true],
  ['src/l', '../.git/config', true],
  ['src/l', 'up/.GIT/config', true],
  ['src/l', 'loop', true],
  ['src/l', 'abs/x', true],
])('a link %s -> %s leads out: %s', async (path, target, out) => {
  expect(await leadsOut(path, target, SCOPE, readLink)).toBe(out);
});
