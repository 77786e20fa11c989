import { pagerArgv, runPager } from '../pager.ts';
import { print } from '../print.ts';
import { paintDiff } from '../render/paint-diff.ts';
import { styleFor } from '../terminal.ts';
import { atTask, type DeskWords } from './at-task.ts';

/** The candidate's diff, or its size by file. */
export function printDiff(given: string, words: DeskWords & { stat?: boolean }): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    const diff = await desk.diff(taskId);
    const { review } = await desk.show(taskId);
    const text = words.stat ? (review?.diff_stat ?? '') : diff;
    const painted = paintDiff(text.trimEnd(), words.stat ? (_, line) => line : styleFor(process.stdout, process.env));
    if (!(await page(painted))) print(painted);
  });
}

/** Shows what is longer than the screen in the person's pager; false where there is no terminal or no pager. */
async function page(text: string): Promise<boolean> {
  const { stdout, env } = process;
  const pager = stdout.isTTY && text.split('\n').length >= stdout.rows ? pagerArgv(env['PAGER']) : undefined;
  if (pager === undefined) return false;
  // Ctrl-C is the pager's to read: it ends a search there, and not this command.
  const leaveIt = () => {};
  process.on('SIGINT', leaveIt);
  try {
    return await runPager(pager, text, {
      terminal: stdout.fd,
      environment: env,
      signal: new AbortController().signal,
    });
  } finally {
    process.off('SIGINT', leaveIt);
  }
}
