import type { TaskDetail } from '../../app/index.ts';
import type { RemitError } from '../../base/index.ts';
import { checkNewsLines } from '../render/check-news.ts';
import { inline, paragraph, quoted } from '../render/foreign-text.ts';
import type { Screen } from './screen.ts';

interface Failure {
  readonly id: string;
  readonly what: string;
  readonly output_tail: string;
}

/** How the last lines of a failed command's output are bounded here; its log has all of it. */
const TAIL_LINES = 20;

/** The ends of commands that the stream of activity did not tell, since it began late or fell behind. */
export function untoldEnds(
  { verification }: TaskDetail,
  told: ReadonlySet<string>,
  { style, width }: Screen,
): string[] {
  return verification
    .filter(({ id }) => !told.has(id))
    .flatMap(({ id, passed, exitCode, timedOut, startedAt, finishedAt }) => {
      const outcome = timedOut ? 'did not end in time' : `exited with ${exitCode ?? 'a signal'}`;
      const duration_ms = Date.parse(finishedAt) - Date.parse(startedAt);
      return checkNewsLines({ type: 'check_ended', id, passed, outcome, duration_ms }, style, width);
    });
}

/** What failed, with the end of its output; nothing of a command whose output was told as it came. */
export function failureLines(error: RemitError, streamed: ReadonlySet<string>, { style, width }: Screen): string[] {
  return failuresOf(error)
    .filter(({ id }) => !streamed.has(id))
    .flatMap(({ id, what, output_tail }) => [
      paragraph('  failed ', `${id} ${what}`, width).replace('failed', style('red', 'failed')),
      ...(output_tail.trim() === '' ? [] : quoted(lastLines(output_tail), style, width, '    ')),
    ]);
}

/** Why something was refused: the failures, then the sentence with the advice. */
export function refusalLines(error: RemitError, streamed: ReadonlySet<string>, screen: Screen): string[] {
  return [
    ...failureLines(error, streamed, screen),
    paragraph('! ', error.message, screen.width).replace('!', screen.style('red', '!')),
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
