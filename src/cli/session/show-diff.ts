import { runInForeground } from '../../process/index.ts';
import { inline } from '../render/foreign-text.ts';
import { diffLines } from './diff-lines.ts';
import type { Screen } from './screen.ts';

/** Lines that a screen keeps for what stands below a diff that is printed: the first question. */
const ROWS_BELOW = 6;

/** As Git calls it: leaves what it showed on the screen, passes colours on, and ends at once when all of it fits. */
const DEFAULT_PAGER = ['less', '-FRX'];

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
    // The text is not ours: a pager that can start programs or write files is asked not to.
    const env = { ...environment, LESSSECURE: '1' };
    if (await runInForeground({ argv: pager, env, input: `${lines.join('\n')}\n`, terminal, signal })) return;
  }
  screen.say(['', screen.style('bold', 'Diff'), ...lines, '']);
}

/** The words of `$PAGER`, without a shell: quotes and variables in it are not understood. `cat` and nothing mean to print. */
export function pagerArgv(value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return DEFAULT_PAGER;
  const words = value.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || words[0] === 'cat') return undefined;
  // On its own it shows colours as codes.
  return words.length === 1 && words[0] === 'less' ? DEFAULT_PAGER : words;
}
