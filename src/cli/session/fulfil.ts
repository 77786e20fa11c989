import type { TaskDetail } from '../../app/index.ts';
import type { SessionTools } from './session-tools.ts';
import type { Wish } from './wish.ts';

/**
 * Has the task's owner do it, with the tokens of what was shown. A finalize holds until it is committed or refused; leaving
 * ends only the wait. Throws the refusal.
 */
export async function fulfil(wish: Wish, status: TaskDetail['status'], tools: SessionTools): Promise<void> {
  const { desk, taskId: task_id, detach, manner } = tools;
  switch (wish.do) {
    case 'leave':
      return;
    case 'respond':
      await desk.control({ action: 'respond', task_id, interaction_id: wish.interactionId, ...wish.answer });
      return;
    case 'repair':
      await desk.control({ action: 'steer', task_id, message: wish.message });
      return;
    case 'cancel':
      await desk.control({ action: 'cancel', task_id });
      return;
    case 'resume': {
      const { pause_revision: pauseRevision = 0, pause_reason_hash: pauseReasonHash = '' } = status;
      await desk.resume(task_id, { pauseRevision, pauseReasonHash }, wish.guidance);
      return;
    }
    case 'finalize':
      await desk.control(
        {
          action: 'finalize',
          task_id,
          review_summary: wish.summary,
          approved_review_criteria: [...wish.approved],
          expected_review_revision: status.review_revision ?? 0,
          expected_review_tree_hash: status.review_tree_hash ?? '',
          ...(manner.commitMessage !== undefined && { commit_message: manner.commitMessage }),
        },
        detach.signal,
      );
  }
}
