import { expect, test } from 'vitest';
import { styleFor } from './terminal.ts';

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a terminal, with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a terminal, with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal, with NO_COLOR and FORCE_COLOR', { isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['a terminal without colours', { isTTY: true }, { TERM: 'dumb' }, false],
  ['a pipe', {}, {}, false],
  ['a pipe, with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, false],
])('what is printed to %s has its colour or has none', (_where, stream, environment, coloured) => {
  expect(styleFor(stream, environment)('red', 'text')).toBe(coloured ? '\u001b[31mtext\u001b[39m' : 'text');
});
