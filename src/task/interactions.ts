import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { RemitError } from '../base/index.ts';
import type { WorkerAnswer, WorkerQuestion } from '../worker/index.ts';

const optionSchema = z.strictObject({ id: z.string(), name: z.string(), kind: z.string().optional() });

/** A question of the worker that policy leaves to the supervisor. Field names are the wire's. */
export const interactionSchema = z.strictObject({
  id: z.string().describe('Give it as interaction_id to respond.'),
  kind: z.enum(['permission', 'input']).describe('"permission": may the worker do this? "input": a question.'),
  status: z.enum(['pending', 'resolved', 'cancelled']).describe('Only a pending one can be answered.'),
  createdAt: z.string().describe('When the worker asked, ISO 8601 in UTC.'),
  resolvedAt: z.string().describe('When it was settled, ISO 8601 in UTC.').optional(),
  request: z
    .looseObject({ title: z.string(), options: z.array(optionSchema) })
    .describe('What the worker asks, with the options that may be chosen.'),
  response: z.looseObject({}).describe('What was answered.').optional(),
});

export type Interaction = z.infer<typeof interactionSchema>;

export interface InteractionResponse {
  readonly decision: 'allow' | 'deny';
  readonly option_id?: string | undefined;
  readonly answer?: string | undefined;
}

export function openInteraction(question: WorkerQuestion, now: string): Interaction {
  return {
    id: randomUUID(),
    kind: question.kind,
    status: 'pending',
    createdAt: now,
    request: { title: question.title, ...question.detail, options: [...question.options] },
  };
}

/**
 * The supervisor's words as the answer that the worker gets. What contradicts itself is refused, since one half of it would
 * silently decide; so is an answer that would lift later asking.
 */
export function answerOf(interaction: Interaction, response: InteractionResponse): WorkerAnswer {
  const { decision, option_id, answer } = response;
  if (answer !== undefined) return sayAnswer(interaction, response, answer);
  if (option_id !== undefined) return chooseOption(interaction, decision, option_id);
  if (decision === 'allow') requireOneMeaning(interaction);
  return { kind: decision };
}

/** "allow" alone answers a question only where there is one way to: else the first of several would silently be chosen. */
function requireOneMeaning({ kind, request }: Interaction): void {
  const answers = request.options.filter((option) => meaningOf(kind, option.kind) === 'allow');
  if (kind !== 'input' || answers.length < 2) return;
  const offered = answers.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw invalid(`The question has several answers: say which with option_id, one of: ${offered}.`);
}

function sayAnswer(interaction: Interaction, response: InteractionResponse, text: string): WorkerAnswer {
  if (interaction.kind === 'permission') {
    throw invalid(
      'answer is for questions, and this is a permission request, which takes no words: leave answer out; ' +
        'decision "allow" or "deny", or an option_id of the same meaning, settles it. To guide the worker use action steer.',
    );
  }
  if (response.decision === 'deny') {
    throw invalid(
      'answer answers the question, decision "deny" declines it: send answer with "allow", or "deny" alone.',
    );
  }
  if (response.option_id !== undefined) {
    throw invalid('option_id and answer each answer the question: send only one of them.');
  }
  return { kind: 'text', text };
}

function chooseOption(
  interaction: Interaction,
  decision: InteractionResponse['decision'],
  optionId: string,
): WorkerAnswer {
  const { options } = interaction.request;
  const option = options.find((offered) => offered.id === optionId);
  if (option === undefined) {
    const offered = options.map((known) => known.id).join(', ');
    throw invalid(`option_id ${JSON.stringify(optionId)} was not offered; offered are: ${offered}.`);
  }
  if (option.kind === 'allow_always') {
    throw invalid('A lasting permission is never given: choose an option that allows once, or decision "allow".');
  }
  if (meaningOf(interaction.kind, option.kind) !== decision) {
    throw invalid(
      `decision ${JSON.stringify(decision)} and option_id ${JSON.stringify(optionId)} (${option.kind || 'of no known kind'}) ` +
        `contradict each other: choose an option that means "${decision}", or send the decision alone.`,
    );
  }
  return { kind: 'option', optionId };
}

/** An option of no known kind is an answer to a question, and never a permission: so it goes back to the agent, too. */
function meaningOf(kind: Interaction['kind'], optionKind = ''): InteractionResponse['decision'] {
  if (optionKind.startsWith('allow')) return 'allow';
  if (optionKind.startsWith('reject')) return 'deny';
  return kind === 'permission' ? 'deny' : 'allow';
}

function invalid(message: string): RemitError {
  return new RemitError('invalid_request', message);
}
