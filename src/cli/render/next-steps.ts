import type { TaskDetail } from '../../app/index.ts';

/** What a person can do with a task now: in words, and the command exactly as it is typed. */
export interface NextStep {
  readonly does: string;
  readonly command: string;
}

/** Ids need no quoting: a task's and a criterion's consist of letters, digits, dots, dashes and underscores. */
export function nextSteps({ status, interactions }: Pick<TaskDetail, 'status' | 'interactions'>): NextStep[] {
  const id = status.task_id;
  switch (status.state) {
    case 'provisioning':
    case 'running':
    case 'verifying':
      return [{ does: 'follow it', command: `remit task watch ${id}` }];
    case 'waiting_permission':
      return [
        { does: 'allow it once', command: `remit task respond ${id} --allow` },
        { does: 'deny it', command: `remit task respond ${id} --deny` },
      ];
    case 'waiting_input':
      return answers(id, interactions);
    case 'paused':
      return [
        { does: 'go on', command: `remit task attach ${id} --resume` },
        { does: 'give it up', command: `remit task cancel ${id}` },
      ];
    case 'review_required':
      return reviewSteps(status);
    case 'completed':
      return status.integration_command === undefined
        ? []
        : [{ does: 'take the commit over', command: status.integration_command }];
    case 'commit_failed':
      return [{ does: 'see its branch', command: `git log ${status.branch}` }];
    case 'failed':
    case 'cancelled':
    case 'closed':
      return [];
  }
}

function answers(id: string, interactions: TaskDetail['interactions']): NextStep[] {
  const open = interactions.find(({ status }) => status === 'pending');
  const hasOptions = Array.isArray(open?.request['options']) && open.request['options'].length > 0;
  return [
    hasOptions
      ? { does: 'choose an answer', command: `remit task respond ${id} --option OPTION` }
      : { does: 'answer', command: `remit task respond ${id} --answer 'YOUR ANSWER'` },
    { does: 'decline', command: `remit task respond ${id} --deny` },
  ];
}

/** The approval names what was shown, so that it cannot be given to a candidate that nobody read. */
function reviewSteps({ task_id: id, phase, review_revision, review_tree_hash }: TaskDetail['status']): NextStep[] {
  const repair = { does: 'have it repaired', command: `remit task steer ${id} 'WHAT TO REPAIR'` };
  const hasFailed = phase === 'verification_failed';
  return [
    { does: 'review it', command: `remit task attach ${id}` },
    { does: 'read its diff', command: `remit task diff ${id}` },
    ...(hasFailed ? [repair] : []),
    {
      does: hasFailed ? 'try it again' : 'approve it',
      command: `remit task finalize ${id} --yes --revision ${review_revision} --tree ${review_tree_hash}`,
    },
    hasFailed ? { does: 'give it up', command: `remit task cancel ${id}` } : repair,
  ];
}
