import { diffPatch } from '../git/index.ts';
import { type Interaction, interactionSchema, openTaskWorkspace, type Review, type TaskRecord } from '../task/index.ts';
import type { HostRooms } from './rooms.ts';
import { activeInteraction, BUNDLE_DIFF_BYTES, viewBundle, viewTask } from './task-view.ts';
import type { DelegateOutput } from './wire-schemas.ts';

/** The view of a task, with the bundle where somebody has to decide. */
export async function answerDelegate(rooms: HostRooms, record: TaskRecord, timedOut: boolean): Promise<DelegateOutput> {
  const view = viewTask(record);
  const { status } = record;
  const bundle =
    status.state === 'review_required'
      ? viewBundle(record, status.review, await readDiffStart(rooms, record, status.review))
      : {};
  const interaction = activeInteraction(readInteractions(rooms, record.task_id));
  return {
    ...view,
    ...bundle,
    ...(interaction && { active_interaction: interaction }),
    ...(timedOut && { timed_out: true }),
  };
}

/** At least what a bundle shows: of a diff that is cut, a little less than half the limit is its beginning. */
async function readDiffStart(rooms: HostRooms, record: TaskRecord, review: Review): Promise<Buffer> {
  const workspace = await openTaskWorkspace(record, rooms);
  return (await diffPatch(rooms.git, workspace, review.tree, { maxDiffBytes: 4 * BUNDLE_DIFF_BYTES })).diff;
}

export function readInteractions(rooms: HostRooms, taskId: string): Interaction[] {
  return rooms.store.readInteractions(taskId).map((row) => interactionSchema.parse(row.interaction));
}
