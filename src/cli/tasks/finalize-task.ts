import type { Desk, TaskDetail, TaskView } from '../../app/index.ts';
import { isErrorCode, RemitError, visibleLine } from '../../base/index.ts';
import { isTerminal } from '../../task/index.ts';
import { Detach } from '../detach.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { print, remarkOn } from '../print.ts';
import { standingLines } from '../render/describe-task.ts';
import { failureLines, untoldEnds } from '../render/finalize-lines.ts';
import { jsonText } from '../render/json-text.ts';
import { styleFor, widthFor } from '../terminal.ts';
import { type ApprovalWords, approvalOf } from './approval.ts';
import { atTask, type DeskWords } from './at-task.ts';
import { exitCodeOfTask } from './task-end.ts';
import { VerificationStream } from './verification-stream.ts';

export interface FinalizeWords extends DeskWords, ApprovalWords {
  summary?: string;
  message?: string;
}

const DEFAULT_SUMMARY = 'Reviewed and approved at the shell.';

/**
 * Approves, lets the host verify and commit, and shows the verification as it runs. Whoever leaves meanwhile (Ctrl-C) leaves
 * it running. Throws the refusal, or why there is no commit.
 */
export function finalizeTask(given: string, words: FinalizeWords): Promise<ExitCode> {
  return atTask(given, words, async (desk, taskId) => {
    using detach = new Detach();
    const before = await desk.show(taskId);
    const approval = approvalOf(before, words);
    const stream = new VerificationStream(desk, taskId, words.json !== true);
    try {
      const view = await desk.control(
        {
          task_id: taskId,
          action: 'finalize',
          review_summary: words.summary ?? DEFAULT_SUMMARY,
          approved_review_criteria: [...approval.criteria],
          expected_review_revision: approval.revision,
          expected_review_tree_hash: approval.tree,
          ...(words.message !== undefined && { commit_message: words.message }),
        },
        detach.signal,
      );
      const settled = await stream.settled(view, detach.signal);
      if (detach.isAsked) {
        remarkOn(`no longer watching; finalizing goes on: remit task watch ${taskId}`);
        return EXIT.interrupted;
      }
      await stream.close();
      return await tellEnd(desk, before, settled, stream, words);
    } catch (error) {
      await stream.close();
      if (error instanceof RemitError && !words.json) {
        const lines = failureLines(error, stream.told, paper());
        if (lines.length > 0) print(lines.join('\n'));
      }
      throw error;
    } finally {
      await stream.close();
    }
  });
}

async function tellEnd(
  desk: Desk,
  before: TaskDetail,
  view: TaskView,
  stream: VerificationStream,
  words: FinalizeWords,
): Promise<ExitCode> {
  const { task_id, state, phase, reason } = view;
  if (!isTerminal(state)) {
    throw new RemitError(
      isErrorCode(phase) ? phase : 'invalid_state',
      reason ?? `Task ${task_id} was not committed: it is ${state}.`,
      { details: { state } },
    );
  }
  if (words.json) print(jsonText(view, 2));
  else print((await describeEnd(desk, before, view, stream)).join('\n'));
  // Somebody else may have stopped it meanwhile.
  return exitCodeOfTask(view) ?? EXIT.internal;
}

async function describeEnd(
  desk: Desk,
  before: TaskDetail,
  { task_id, state }: TaskView,
  stream: VerificationStream,
): Promise<string[]> {
  const { style, width } = paper();
  const detail = await desk.show(task_id);
  return [
    ...untoldEnds(detail, stream.told, { style, width }),
    ...standingLines(detail, style, width),
    ...(state === 'completed' ? [style('dim', `        in ${visibleLine(before.repository)}`)] : []),
  ];
}

function paper() {
  return { style: styleFor(process.stdout, process.env), width: widthFor(process.stdout) };
}
