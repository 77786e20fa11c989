import type { TaskDetail } from '../../app/index.ts';
import { isErrorCode, RemitError } from '../../base/index.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { explainError } from '../explain-error.ts';
import { print } from '../print.ts';
import { lastWordsLines } from '../render/describe-candidate.ts';
import { questionLines } from '../render/describe-question.ts';
import { standingLines } from '../render/describe-task.ts';
import { jsonText } from '../render/json-text.ts';
import { type Style, styleFor, widthFor } from '../terminal.ts';
import { diffLines } from './diff-lines.ts';
import { leavingLines } from './leaving-text.ts';
import { reviewLines } from './review-text.ts';
import type { SessionEnd } from './session.ts';

export interface Finish {
  /** One object on standard output, and a refusal as the error object on standard error. */
  readonly json: boolean;
  /** Somebody was asked: what was decided by has been shown. */
  readonly asked: boolean;
  /** The candidate's diff, where it is to be printed. */
  readonly diff: () => Promise<string>;
}

/** Prints what came of a session, and tells how the process ends. */
export async function finish(end: SessionEnd, how: Finish): Promise<ExitCode> {
  const { detail, ending } = end;
  const { json } = how;
  if (json) print(jsonText(detail, 2));
  if (ending.kind === 'detached') {
    if (!json) process.stderr.write(`${leavingLines(detail.status).join('\n')}\n`);
    return EXIT.interrupted;
  }
  const problem = problemOf(end);
  const isSaid = !how.asked && detail.status.state === 'failed' && problem !== undefined;
  if (how.asked) process.stderr.write('\n');
  if (!json && !isSaid) print((await endLines(end, how)).join('\n'));
  if (problem !== undefined && (json || !how.asked)) explainError(problem, { json });
  return problem === undefined ? exitOf(ending, detail.status) : exitOfProblem(ending, problem);
}

function exitOf(ending: SessionEnd['ending'], { state }: TaskDetail['status']): ExitCode {
  switch (ending.kind) {
    case 'waits':
    case 'paused':
      return EXIT.paused;
    case 'review_needed':
    case 'refused':
      return EXIT.reviewNeeded;
    case 'over':
      return state === 'completed' ? EXIT.ok : EXIT.internal;
    case 'detached':
      return EXIT.interrupted;
  }
}

/** A criterion that was not approved is no bad input: the review is still needed. */
function exitOfProblem(ending: SessionEnd['ending'], { code }: RemitError): ExitCode {
  return ending.kind === 'review_needed' ? EXIT.reviewNeeded : exitCodeOf(code);
}

/** What is to be told as an error: why it failed, why there is no commit, which approvals are missing. */
function problemOf({ detail, ending, refusal }: SessionEnd): RemitError | undefined {
  const { phase, reason = '' } = detail.status;
  if (ending.kind === 'review_needed' && ending.missing.length > 0) {
    return new RemitError('invalid_request', `not approved on the command line: ${ending.missing.join(', ')}`, {
      details: { required_review_criteria: detail.review?.required_review_criteria, missing: ending.missing },
    });
  }
  if (ending.kind === 'refused' && refusal !== undefined) return refusal;
  const isRefused = ending.kind === 'refused' || (ending.kind === 'over' && detail.status.state === 'failed');
  // A task that failed before it began, or came back from its verification, has the error's code as its phase.
  return isRefused && isErrorCode(phase) ? new RemitError(phase, reason) : undefined;
}

async function endLines({ detail, ending }: SessionEnd, { asked, diff }: Finish): Promise<string[]> {
  const style = styleFor(process.stdout, process.env);
  const width = widthFor(process.stdout);
  const standing = standingLines(detail, style, width);
  if (asked) return standing;
  const question = detail.interactions.find(({ status }) => status === 'pending');
  if (ending.kind === 'waits' && question !== undefined) return [...questionLines(question, style, width), ...standing];
  if (ending.kind === 'paused') return [...lastWordsLines(detail, style, width), ...standing];
  if (ending.kind !== 'review_needed') return standing;
  return [
    ...reviewLines(detail, style, width).slice(1),
    '',
    ...boundedDiff(await diff(), detail, style, width),
    '',
    ...standing,
  ];
}

/** A longer diff would only push away what stands above and below it. */
const MAX_DIFF_LINES = 1_000;

function boundedDiff(diff: string, { status }: TaskDetail, style: Style, width: number): string[] {
  const lines = diffLines(diff, style, width);
  if (lines.length <= MAX_DIFF_LINES) return lines;
  const more = `… ${lines.length - MAX_DIFF_LINES} more lines: remit task diff ${status.task_id}`;
  return [...lines.slice(0, MAX_DIFF_LINES), more];
}
