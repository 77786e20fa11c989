import type { TaskDetail } from '../../app/index.ts';
import type { RemitError } from '../../base/index.ts';
import type { Style } from '../terminal.ts';
import { checkNewsLines } from './check-news.ts';
import { endedHow } from './describe-checks.ts';
import { inline, paragraph, quoted } from './foreign-text.ts';

/** Where lines are written. */
interface Paper {
  readonly style: Style;
  readonly width: number;
}

interface Failure {
  readonly id: string;
  readonly what: string;
  readonly output_tail: string;
}

/** How the last lines of a failed command's output are bounded here; its log has all of it. */
const TAIL_LINES = 20;

/** The ends of commands that the stream of activity did not tell, since it began late or fell behind. */
export function untoldEnds({ verification }: TaskDetail, told: ReadonlySet<string>, { style, width }: Paper): string[] {
  return verification
    .filter(({ id }) => !told.has(id))
    .flatMap((check) => {
      const { id, passed, startedAt, finishedAt } = check;
      const duration_ms = Date.parse(finishedAt) - Date.parse(startedAt);
      return checkNewsLines({ type: 'check_ended', id, passed, outcome: endedHow(check), duration_ms }, style, width);
    });
}

/** What failed, with the end of its output; nothing of a command whose output was told as it came. */
export function failureLines(error: RemitError, streamed: ReadonlySet<string>, { style, width }: Paper): string[] {
  return failuresOf(error)
    .filter(({ id }) => !streamed.has(id))
    .flatMap(({ id, what, output_tail }) => [
      paragraph('  failed ', `${id}: ${what}`, width).replace('failed', style('red', 'failed')),
      ...(output_tail.trim() === '' ? [] : quoted(lastLines(output_tail), style, width, '    ')),
    ]);
}

/** Why something was refused: the failures, then the sentence with the advice. */
export function refusalLines(error: RemitError, streamed: ReadonlySet<string>, paper: Paper): string[] {
  return [
    ...failureLines(error, streamed, paper),
    paragraph('! ', error.message, paper.width).replace('!', paper.style('red', '!')),
  ];
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= TAIL_LINES ? lines.join('\n') : ['…', ...lines.slice(-TAIL_LINES)].join('\n');
}

function failuresOf({ details }: RemitError): Failure[] {
  const failures: unknown = details?.['failures'];
  if (!Array.isArray(failures)) return [];
  return failures.map((failure: Partial<Failure>) => ({
    id: inline(String(failure.id)),
    what: String(failure.what),
    output_tail: String(failure.output_tail ?? ''),
  }));
}
