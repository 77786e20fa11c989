import { expect, test } from 'vitest';
import { pagerArgv } from './pager.ts';

test.each<[string | undefined, readonly string[] | undefined]>([
  [undefined, ['less', '-FRX']],
  ['less', ['less', '-FRX']],
  ['less -S', ['less', '-S']],
  [' most  -w ', ['most', '-w']],
  ['cat', undefined],
  ['', undefined],
])('reads PAGER %j as %j', (value, argv) => {
  expect(pagerArgv(value)).toEqual(argv);
});
