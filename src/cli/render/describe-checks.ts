import type { TaskDetail } from '../../app/index.ts';
import { visibleLine } from '../../base/index.ts';
import { shellWords } from '../shell-words.ts';
import type { Style } from '../terminal.ts';
import { inline, paragraph } from './foreign-text.ts';
import { durationText, sizeText } from './measures.ts';

type Check = TaskDetail['verification'][number];
type Acceptance = TaskDetail['acceptance_evidence'][number];

export function passedText(passed: boolean, style: Style): string {
  return passed ? style('green', 'passed') : style('red', 'failed');
}

/** A command that the host ran, and how it ended, with the place of its output. */
export function checkLines(check: Check, style: Style, width: number): string[] {
  const took = durationText(Date.parse(check.finishedAt) - Date.parse(check.startedAt));
  const { argv, outputBytes, logPath } = check;
  const [first = '', ...rest] = paragraph(`  passed ${check.id}: `, commandText(argv, check.cwd), width).split('\n');
  const output = `${endedHow(check)}, ${took}, ${sizeText(outputBytes)} of output in ${logPath}`;
  return [first.replace('passed', passedText(check.passed, style)), ...rest, paragraph('    ', output, width)];
}

export function endedHow({ exitCode, timedOut }: Pick<Check, 'exitCode' | 'timedOut'>): string {
  if (timedOut) return 'its time ran out';
  return exitCode === null ? 'did not run to its end' : `exited with ${exitCode}`;
}

/** A command as one could type it, and where. */
export function commandText(argv: readonly string[], cwd = ''): string {
  return visibleLine(shellWords(argv)) + (cwd === '' || cwd === '.' ? '' : ` (in ${visibleLine(cwd)})`);
}

/** Whether each criterion is met so far, and by what. */
export function acceptanceLines(rows: readonly Acceptance[], style: Style): string[] {
  return rows.map(({ criterionId, evidence, approved, source }) => {
    const what = approved ? style('green', 'met') : style('yellow', 'not yet');
    const by = source === 'none' ? '' : ` by ${inline(source)}`;
    return `  ${what} ${style('bold', inline(criterionId))} (${evidence})${by}`;
  });
}
