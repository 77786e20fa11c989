import { RemitError } from '../base/index.ts';
import { commitTree, type Identity, isAncestor, moveBranch, publishObjects, readRef } from '../git/index.ts';
import {
  moveTo,
  openTaskWorkspace,
  type StatusOf,
  type TaskRecord,
  type TaskTools,
  taskRepository,
  wrongState,
} from '../task/index.ts';
import { evidenceOf, writeEvidence } from './proof.ts';
import type { Verification } from './verification.ts';

/**
 * One commit on the task's own branch: the reviewed tree, parent = base. The commit's id is recorded before the branch
 * moves, by compare-and-swap from the base, so that after a kill the ref alone decides what happened.
 */
export async function commitReviewedTree(
  record: TaskRecord,
  verification: Verification,
  identity: Identity,
  tools: TaskTools,
): Promise<TaskRecord> {
  const { git, journal } = tools;
  const { approval, review } = committing(record);
  const workspace = await openTaskWorkspace(record, tools);
  const evidence = await evidenceOf(record, verification, tools);
  await writeEvidence(record, evidence, tools);
  const commit = await commitTree(git, workspace, {
    tree: review.tree,
    message: approval.commit_message,
    identity,
    trailers: [
      { key: 'Remit-Task', value: record.task_id },
      { key: 'Remit-Contract', value: `sha256:${record.contract_hash}` },
      { key: 'Remit-Evidence', value: `sha256:${evidence.hash}` },
    ],
  });
  await publishObjects(git, workspace, commit);
  const begun = journal.change(record.task_id, { type: 'commit_begun', data: { commit } }, (now) =>
    moveTo(now, { ...committing(now), phase: 'committing', commit }),
  );
  const moved = await moveBranch(git, taskRepository(record), {
    branch: record.branch,
    from: record.base_commit,
    to: commit,
  });
  switch (moved.kind) {
    case 'moved':
      return complete(begun, tools);
    case 'unknown': {
      const lost = loseTrack(begun, tools);
      throw new RemitError('commit_failed', 'reason' in lost.status ? lost.status.reason : '');
    }
    case 'ref_moved':
      throw new RemitError(
        'commit_failed',
        `The branch ${record.branch} no longer points to the base ${record.base_commit.slice(0, 12)}: somebody moved it. Set it back, then finalize again.`,
      );
    case 'locked':
    case 'failed':
      throw new RemitError(
        'commit_failed',
        `Git could not move ${record.branch}: ${moved.reason} Then finalize again.`,
        {
          retryable: moved.kind === 'locked',
        },
      );
  }
}

/**
 * What became of a commit that was cut off, or of which the store could not be told. The branch decides: with our commit
 * in it, it is done; at the base, as if it had not begun; anywhere else nobody can tell.
 */
export async function settleInterruptedCommit(record: TaskRecord, tools: TaskTools): Promise<TaskRecord> {
  const status = committing(record);
  if (status.commit === undefined) return backAtReview(record, tools);
  const repository = taskRepository(record);
  const tip = await readRef(tools.git, repository, `refs/heads/${record.branch}`);
  if (tip !== undefined && (await isAncestor(tools.git, repository, status.commit, tip)))
    return complete(record, tools);
  return tip === record.base_commit ? backAtReview(record, tools) : loseTrack(record, tools);
}

function backAtReview(record: TaskRecord, tools: TaskTools): TaskRecord {
  return tools.journal.change(record.task_id, { type: 'verification_interrupted' }, (now) =>
    moveTo(now, {
      state: 'review_required',
      phase: 'host_restarted',
      review: committing(now).review,
      problem: { code: 'host_restarted', message: 'The host stopped before the commit was made: finalize again.' },
    }),
  );
}

function committing(record: TaskRecord): StatusOf<'verifying'> {
  if (record.status.state !== 'verifying') throw wrongState(record, 'commit', 'verifying');
  return record.status;
}

function complete(record: TaskRecord, tools: TaskTools): TaskRecord {
  return tools.journal.change(record.task_id, { type: 'committed' }, (now) => {
    const { review, approval, commit } = committing(now);
    if (commit === undefined) throw wrongState(now, 'complete', 'a commit that has begun');
    return moveTo(now, { state: 'completed', phase: 'completed', review, approval, commit });
  });
}

function loseTrack(record: TaskRecord, tools: TaskTools): TaskRecord {
  return tools.journal.change(record.task_id, { type: 'commit_failed' }, (now) =>
    moveTo(now, {
      state: 'commit_failed',
      phase: 'commit_failed',
      review: committing(now).review,
      reason: `Nobody can tell whether ${record.branch} got the commit ${committing(now).commit}: look at git log ${record.branch}, and delegate a new task if it is not there.`,
    }),
  );
}
