/** A question or permission request of the worker that only the supervisor may answer. */
import { z } from 'zod';

export const interactionWireSchema = z.strictObject({
  id: z.string().describe('Give it as interaction_id to respond.'),
  kind: z.enum(['permission', 'input']).describe('"permission": may the worker do this? "input": a question.'),
  status: z.enum(['pending', 'resolved', 'cancelled']).describe('Only a pending one can be answered.'),
  createdAt: z.string().describe('When the worker asked, ISO 8601 in UTC.'),
  resolvedAt: z.string().describe('When it was settled, ISO 8601 in UTC.').optional(),
  request: z.looseObject({}).describe('What the worker asks, with the options that may be chosen.'),
  response: z.looseObject({}).describe('What was answered.').optional(),
});
