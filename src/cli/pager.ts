import { runInForeground } from '../process/index.ts';

/** As Git calls it: leaves what it showed on the screen, passes colours on, and ends at once when all of it fits. */
const DEFAULT_PAGER = ['less', '-FRX'];

/** The words of `$PAGER`, without a shell: quotes and variables in it are not understood. `cat` and nothing mean to print. */
export function pagerArgv(value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return DEFAULT_PAGER;
  const words = value.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || words[0] === 'cat') return undefined;
  // On its own it shows colours as codes.
  return words.length === 1 && words[0] === 'less' ? DEFAULT_PAGER : words;
}

interface PagerPlace {
  /** The terminal that a pager takes over. */
  readonly terminal: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Shows text that is not ours in a pager and waits until it is left; false where it cannot be started. */
export function runPager(argv: readonly string[], text: string, place: PagerPlace): Promise<boolean> {
  const { terminal, environment, signal } = place;
  // A pager that can start programs or write files is asked not to.
  const env = { ...environment, LESSSECURE: '1' };
  return runInForeground({ argv, env, input: `${text}\n`, terminal, signal });
}
