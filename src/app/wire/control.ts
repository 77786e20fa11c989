/** Input and output of `reasonix_control`: one flat object on the wire, since some clients refuse a `oneOf`. */
import { z } from 'zod';
import { taskViewShape } from './task-view.ts';
import { count, criterionId, taskId, treeHash } from './words.ts';

export const controlInputSchema = z.strictObject({
  task_id: taskId.describe('The task to act on.'),
  action: z
    .enum(['steer', 'respond', 'cancel', 'finalize', 'close'])
    .describe('What to do. Each action takes only its own fields, named below.'),
  message: z
    .string()
    .min(0)
    .max(20_000)
    .describe('steer (required): guidance, or what to repair after a review.')
    .optional(),
  interaction_id: z.string().min(1).max(256).describe('respond (required): id of the pending interaction.').optional(),
  decision: z
    .enum(['allow', 'deny'])
    .describe('respond (required): your decision; "deny" also declines a question.')
    .optional(),
  option_id: z
    .string()
    .min(1)
    .max(1024)
    .describe('respond: one of the options that the request lists, of the same meaning as decision.')
    .optional(),
  answer: z
    .string()
    .min(1)
    .max(10_000)
    .describe('respond: free text for a question, with decision "allow"; a permission request takes none.')
    .optional(),
  review_summary: z
    .string()
    .min(1)
    .max(20_000)
    .describe('finalize (required): what you reviewed and concluded.')
    .optional(),
  approved_review_criteria: z
    .array(criterionId.describe('Id of an acceptance criterion.'))
    .max(1000)
    .describe(
      'finalize (required): every id of required_review_criteria; ids of automated criteria are accepted and mean nothing.',
    )
    .optional(),
  expected_review_revision: count.describe('finalize (required): review_revision that you reviewed.').optional(),
  expected_review_tree_hash: treeHash.describe('finalize (required): review_tree_hash that you reviewed.').optional(),
  commit_message: z
    .string()
    .min(1)
    .max(5000)
    .describe('finalize: message of the commit, stored as it is. Default: task id and objective.')
    .optional(),
  wait_timeout_seconds: z
    .int()
    .min(0)
    .max(600)
    .describe('finalize: longest hold of this call; finalizing goes on in any case. Default as for reasonix_delegate.')
    .optional(),
});

export const controlOutputSchema = z.strictObject(taskViewShape);

export type ControlInput = z.output<typeof controlInputSchema>;
export type ControlOutput = z.output<typeof controlOutputSchema>;

type Name = Exclude<keyof ControlInput, 'task_id' | 'action'>;
type Fields<Required extends Name, Optional extends Name = never> = { task_id: string } & {
  [Key in Required]-?: NonNullable<ControlInput[Key]>;
} & { [Key in Optional]?: ControlInput[Key] };

/** One action with exactly its own fields. */
export type ControlAction =
  | ({ action: 'steer' } & Fields<'message'>)
  | ({ action: 'respond' } & Fields<'interaction_id' | 'decision', 'option_id' | 'answer'>)
  | ({ action: 'finalize' } & Fields<
      'review_summary' | 'approved_review_criteria' | 'expected_review_revision' | 'expected_review_tree_hash',
      'commit_message' | 'wait_timeout_seconds'
    >)
  | ({ action: 'cancel' } & Fields<never>)
  | ({ action: 'close' } & Fields<never>);

interface ActionFields {
  readonly required: readonly Name[];
  readonly optional: readonly Name[];
}

/** Which fields an action takes; `ControlAction` says the same in types. */
export const ACTION_FIELDS: Readonly<Record<ControlInput['action'], ActionFields>> = {
  steer: { required: ['message'], optional: [] },
  respond: { required: ['interaction_id', 'decision'], optional: ['option_id', 'answer'] },
  finalize: {
    required: ['review_summary', 'approved_review_criteria', 'expected_review_revision', 'expected_review_tree_hash'],
    optional: ['commit_message', 'wait_timeout_seconds'],
  },
  cancel: { required: [], optional: [] },
  close: { required: [], optional: [] },
};
