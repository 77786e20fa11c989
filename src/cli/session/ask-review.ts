import type { TaskDetail } from '../../app/index.ts';
import { MAX_REPAIR_ROUNDS } from '../../task/index.ts';
import { inline } from '../render/foreign-text.ts';
import { askCancel } from './ask-pause.ts';
import type { Choice, Prompts } from './prompts.ts';
import type { Screen } from './screen.ts';
import type { Wish } from './wish.ts';

export interface ReviewPlace {
  readonly screen: Screen;
  readonly prompts: Prompts;
  readonly signal: AbortSignal;
  readonly showDiff: () => Promise<void>;
}

/** Asks about each criterion that is the reviewer's, then what is to be done. Undefined: ask anew, or the person leaves. */
export async function askReview(
  detail: TaskDetail,
  answers: Map<string, boolean>,
  place: ReviewPlace,
): Promise<Wish | undefined> {
  const required = detail.review?.required_review_criteria ?? [];
  for (;;) {
    if (!(await askCriteria(detail, required, answers, place))) return undefined;
    const choice = await place.prompts.choose('What now?', reviewChoices(detail, answers), place.signal);
    switch (choice) {
      case 'finalize':
        return { do: 'finalize', approved: required, summary: 'Reviewed and approved by a person at a terminal.' };
      case 'repair': {
        const message = await place.prompts.write('What is to be repaired? (leave it empty to go back)', place.signal);
        if (message === undefined) return undefined;
        if (message !== '') return { do: 'repair', message };
        break;
      }
      case 'diff':
        await place.showDiff();
        break;
      case 'again':
        answers.clear();
        break;
      case 'leave':
        return { do: 'leave' };
      case 'cancel': {
        const wish = await askCancel(place);
        if (wish !== undefined || place.signal.aborted) return wish;
        break;
      }
      case undefined:
        return undefined;
    }
  }
}

/** Answers false when the question became idle. */
async function askCriteria(
  { contract }: TaskDetail,
  required: readonly string[],
  answers: Map<string, boolean>,
  { prompts, signal }: ReviewPlace,
): Promise<boolean> {
  for (const id of required.filter((each) => !answers.has(each))) {
    const requirement = contract.acceptance_criteria.find((criterion) => criterion.id === id)?.requirement ?? '';
    const approved = await prompts.confirm(`Do you approve ${inline(id)}: ${inline(requirement)}`, signal);
    if (approved === undefined) return false;
    answers.set(id, approved);
  }
  return true;
}

type ReviewChoice = 'finalize' | 'repair' | 'diff' | 'again' | 'leave' | 'cancel';

/** The likeliest first: the commit when all is approved, else a repair; what failed its verification wants one, too. */
function reviewChoices(detail: TaskDetail, answers: ReadonlyMap<string, boolean>): Choice<ReviewChoice>[] {
  const { status, contract } = detail;
  const refused = [...answers].filter(([, approved]) => !approved).map(([id]) => id);
  const checks = contract.verification.length + (contract.file_assertions?.length ?? 0);
  const finalize: Choice<ReviewChoice> = {
    value: 'finalize',
    label: status.phase === 'review_ready' ? 'Finalize' : 'Finalize again',
    hint: checks === 0 ? 'one commit' : 'verify, then one commit',
  };
  const left = MAX_REPAIR_ROUNDS - status.repair_rounds;
  const repair: Choice<ReviewChoice> = {
    value: 'repair',
    label: 'Ask the worker for a repair',
    hint: left === 1 ? 'the last round' : `${left} rounds are left`,
  };
  const repairs = left > 0 ? [repair] : [];
  const first =
    refused.length > 0
      ? repairs
      : status.phase === 'verification_failed'
        ? [...repairs, finalize]
        : [finalize, ...repairs];
  return [
    ...first,
    { value: 'diff', label: 'Show the diff again' },
    ...(answers.size === 0
      ? []
      : [
          {
            value: 'again' as const,
            label: 'Go through the criteria again',
            ...(refused.length > 0 && { hint: `not approved: ${refused.map(inline).join(', ')}` }),
          },
        ]),
    { value: 'leave', label: 'Leave it for later' },
    { value: 'cancel', label: 'Cancel the task' },
  ];
}
