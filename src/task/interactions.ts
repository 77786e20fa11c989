import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { RemitError } from '../base/index.ts';
import type { WorkerAnswer, WorkerQuestion } from '../worker/index.ts';

const optionSchema = z.strictObject({ id: z.string(), name: z.string(), kind: z.string().optional() });

/** A question of the worker that policy leaves to the supervisor. Field names are the wire's. */
export const interactionSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['permission', 'input']),
  status: z.enum(['pending', 'resolved', 'cancelled']),
  createdAt: z.string(),
  resolvedAt: z.string().optional(),
  request: z.looseObject({ title: z.string(), options: z.array(optionSchema) }),
  response: z.record(z.string(), z.unknown()).optional(),
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

/** The supervisor's words as the answer that the worker gets; an answer that would lift later asking is refused. */
export function answerOf(interaction: Interaction, response: InteractionResponse): WorkerAnswer {
  if (response.option_id !== undefined) return chooseOption(interaction, response.option_id);
  if (response.answer !== undefined) return { kind: 'text', text: response.answer };
  return { kind: response.decision };
}

function chooseOption(interaction: Interaction, optionId: string): WorkerAnswer {
  const { options } = interaction.request;
  const option = options.find((offered) => offered.id === optionId);
  if (option === undefined) {
    const offered = options.map((known) => known.id).join(', ');
    throw new RemitError(
      'invalid_request',
      `option_id ${JSON.stringify(optionId)} was not offered; offered are: ${offered}.`,
    );
  }
  if (option.kind === 'allow_always') {
    throw new RemitError(
      'invalid_request',
      'A lasting permission is never given: choose an option that allows once, or decision "allow".',
    );
  }
  return { kind: 'option', optionId };
}
