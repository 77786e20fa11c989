import type { TaskDetail } from '../../app/index.ts';
import { lastWordsLines } from '../render/describe-candidate.ts';
import { inline, paragraph } from '../render/foreign-text.ts';
import { stateText } from '../render/states.ts';
import type { Prompts } from './prompts.ts';
import type { Screen } from './screen.ts';
import type { Wish } from './wish.ts';

interface Place {
  readonly screen: Screen;
  readonly prompts: Prompts;
  readonly signal: AbortSignal;
}

/** Shows why a task is paused, and asks whether it goes on. */
export async function askPause(detail: TaskDetail, place: Place): Promise<Wish | undefined> {
  const { screen, prompts, signal } = place;
  const { style, width } = screen;
  const { status } = detail;
  screen.say([
    '',
    `${style('bold', inline(status.task_id))} is ${stateText(status, style)}`,
    paragraph('  ', status.reason ?? '', width),
    ...lastWordsLines(detail, style, width),
  ]);
  const choice = await prompts.choose(
    'Shall it go on?',
    [
      { value: 'resume', label: 'Resume' },
      { value: 'guide', label: 'Resume and say something to the worker' },
      { value: 'leave', label: 'Leave it for later' },
      { value: 'cancel', label: 'Cancel the task' },
    ],
    signal,
  );
  switch (choice) {
    case 'resume':
      return { do: 'resume' };
    case 'guide':
      return guided(place);
    case 'leave':
      return { do: 'leave' };
    case 'cancel':
      return askCancel(place);
    case undefined:
      return undefined;
  }
}

async function guided({ prompts, signal }: Place): Promise<Wish | undefined> {
  const guidance = await prompts.write('What should the worker know? (leave it empty to go back)', signal);
  return guidance === undefined || guidance === '' ? undefined : { do: 'resume', guidance };
}

/** A cancelled task cannot be taken up again, so it is asked twice. */
export async function askCancel({ prompts, signal }: Place): Promise<Wish | undefined> {
  const isSure = await prompts.confirm('Cancel it for good? Its worktree and branch stay.', signal);
  return isSure === true ? { do: 'cancel' } : undefined;
}
