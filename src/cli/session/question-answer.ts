import type { TaskDetail } from '../../app/index.ts';
import { offeredOptions } from '../render/describe-question.ts';
import { inline } from '../render/foreign-text.ts';
import type { Choice } from './prompts.ts';

type Interaction = TaskDetail['interactions'][number];

export interface QuestionAnswer {
  readonly decision: 'allow' | 'deny';
  readonly option_id?: string;
  readonly answer?: string;
}

export type QuestionChoice =
  | { readonly kind: 'answer'; readonly answer: QuestionAnswer }
  | { readonly kind: 'write' | 'leave' };

/** Each way to answer a question of the worker, as a list to choose from. A lasting permission is never among them. */
export function questionChoices({ kind, request }: Interaction): (Choice<string> & { means: QuestionChoice })[] {
  const options = offeredOptions(request)
    .map((option) => ({ ...option, decision: meaningOf(kind, option.kind) }))
    .filter((option) => option.kind !== 'allow_always' && option.decision !== undefined);
  const offered = options.map(({ id, name, decision = 'deny' }, index) => ({
    value: `option-${index}`,
    label: inline(name),
    ...(kind === 'permission' && { hint: decision === 'allow' ? 'yes, this once' : 'no' }),
    means: { kind: 'answer' as const, answer: { decision, option_id: id } },
  }));
  const has = (decision: string) => options.some((option) => option.decision === decision);
  return [
    ...offered,
    ...(kind === 'permission' && !has('allow') ? [plain('allow', 'Allow it, this once')] : []),
    ...(kind === 'input' ? [{ value: 'write', label: 'Write an answer', means: { kind: 'write' as const } }] : []),
    ...(has('deny') ? [] : [plain('deny', kind === 'permission' ? 'Deny it' : 'Decline to answer')]),
    { value: 'leave', label: 'Leave it for later', hint: 'the worker waits', means: { kind: 'leave' as const } },
  ];
}

function plain(decision: 'allow' | 'deny', label: string) {
  return { value: decision, label, means: { kind: 'answer' as const, answer: { decision } } };
}

/** An option of no known kind answers a question; it says nothing about a permission. */
function meaningOf(kind: Interaction['kind'], optionKind: string): 'allow' | 'deny' | undefined {
  if (optionKind.startsWith('allow')) return 'allow';
  if (optionKind.startsWith('reject')) return 'deny';
  return kind === 'input' ? 'allow' : undefined;
}
