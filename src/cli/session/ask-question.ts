import type { TaskDetail } from '../../app/index.ts';
import { questionLines } from '../render/describe-question.ts';
import { paragraph } from '../render/foreign-text.ts';
import type { Prompts } from './prompts.ts';
import { questionChoices } from './question-answer.ts';
import type { Screen } from './screen.ts';
import type { Wish } from './wish.ts';

type Interaction = TaskDetail['interactions'][number];

/** Puts a question of the worker to the person. */
export async function askQuestion(
  interaction: Interaction,
  { screen, prompts, signal }: { screen: Screen; prompts: Prompts; signal: AbortSignal },
): Promise<Wish | undefined> {
  screen.say(['', ...shownQuestion(interaction, screen)]);
  const choices = questionChoices(interaction);
  const question = interaction.kind === 'permission' ? 'May it?' : 'Your answer';
  const value = await prompts.choose(question, choices, signal);
  const means = choices.find((choice) => choice.value === value)?.means;
  if (means === undefined) return undefined;
  if (means.kind === 'answer') return { do: 'respond', interactionId: interaction.id, answer: means.answer };
  if (means.kind === 'leave') return { do: 'leave' };
  const answer = await prompts.write('Your answer (leave it empty to go back)', signal);
  if (answer === undefined || answer === '') return undefined;
  return { do: 'respond', interactionId: interaction.id, answer: { decision: 'allow', answer } };
}

/** The options follow as the list to choose from. */
function shownQuestion(interaction: Interaction, { style, width }: Screen): string[] {
  const { options: _, clause, ...request } = interaction.request;
  const lines = questionLines({ ...interaction, request }, style, width);
  const why = typeof clause === 'string' ? [paragraph('You are asked because ', clause, width)] : [];
  return [style('bold', lines[0] ?? ''), ...lines.slice(1), ...why];
}
