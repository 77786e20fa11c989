import { pagerArgv, runPager } from '../pager.ts';
import { inline } from '../render/foreign-text.ts';
import { diffLines } from './diff-lines.ts';
import type { Screen } from './screen.ts';

/** Lines that a screen keeps for what stands below a diff that is printed: the first question. */
const ROWS_BELOW = 6;

interface DiffPlace {
  readonly screen: Screen;
  /** The terminal that a pager takes over. */
  readonly terminal: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Shows a diff in the person's pager where it is longer than the screen; prints it where it is short or there is no pager. */
export async function showDiff(diff: string, { screen, terminal, environment, signal }: DiffPlace): Promise<void> {
  const lines = diffLines(diff, screen.style, screen.width);
  const isShort = lines.length + ROWS_BELOW <= screen.rows;
  const pager = isShort ? undefined : pagerArgv(environment['PAGER']);
  if (pager !== undefined) {
    screen.say(['', screen.style('dim', `The diff opens in ${inline(pager[0] ?? '')}; leave it (q) to go on.`)]);
    if (await runPager(pager, lines.join('\n'), { terminal, environment, signal })) return;
  }
  screen.say(['', screen.style('bold', 'Diff'), ...lines, '']);
}
