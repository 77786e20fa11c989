import type { TaskDetail } from '../../app/index.ts';
import { RemitError } from '../../base/index.ts';
import { offeredOptions } from '../render/describe-question.ts';
import { stateText } from '../render/states.ts';
import { answer, atTask, type DeskWords } from './at-task.ts';

export interface RespondWords extends DeskWords {
  allow?: boolean;
  deny?: boolean;
  interaction?: string;
  option?: string;
  answer?: string;
}

type Interaction = TaskDetail['interactions'][number];

/** Answers what the worker asks; without an id the one question that is open. */
export function respondToTask(given: string, words: RespondWords): Promise<void> {
  return atTask(given, words, async (desk, taskId) => {
    const { interactions } = await desk.show(taskId);
    const asked = openQuestion(taskId, interactions, words.interaction);
    const view = await desk.control({
      task_id: taskId,
      action: 'respond',
      interaction_id: asked?.id ?? words.interaction ?? '',
      decision: decisionOf(words, asked),
      ...(words.option !== undefined && { option_id: words.option }),
      ...(words.answer !== undefined && { answer: words.answer }),
    });
    answer(view, words, (_, style) =>
      [`${style('bold', taskId)}  ${stateText(view, style)}`, `Follow it: remit task watch ${taskId}`].join('\n'),
    );
  });
}

function openQuestion(taskId: string, interactions: readonly Interaction[], id?: string): Interaction | undefined {
  if (id !== undefined) return interactions.find((one) => one.id === id);
  const open = interactions.find(({ status }) => status === 'pending');
  if (open !== undefined) return open;
  throw new RemitError(
    'interaction_not_found',
    `Task ${taskId} asks nothing now: remit task show ${taskId} says where it stands.`,
  );
}

/** Words alone, or an option alone, say whether they allow; otherwise the person has to. */
export function decisionOf({ allow, deny, option, answer }: RespondWords, asked?: Interaction): 'allow' | 'deny' {
  if (allow && deny) throw new RemitError('invalid_request', 'Give --allow or --deny, not both.');
  if (deny) return 'deny';
  if (allow || answer !== undefined) return 'allow';
  if (option === undefined)
    throw new RemitError('invalid_request', 'Say how you decide: --allow, --deny, --option OPTION or --answer TEXT.');
  const kind = (asked && offeredOptions(asked.request).find(({ id }) => id === option)?.kind) ?? '';
  if (kind.startsWith('allow')) return 'allow';
  // As the host takes it: an option of no known kind answers a question, and is never a permission.
  return kind.startsWith('reject') || asked?.kind === 'permission' ? 'deny' : 'allow';
}
