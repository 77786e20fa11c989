import { z } from 'zod';
import { completeStepSchema, reviewReportSchema, todoSchema } from '../evidence/index.ts';

/** What a worker says of its own work. The host keeps its words and judges them by its own ledger. */
export const claimSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), step: completeStepSchema }),
  z.object({ kind: z.literal('report'), report: reviewReportSchema }),
  z.object({ kind: z.literal('todos'), items: z.array(todoSchema).max(50) }),
]);
export type Claim = z.output<typeof claimSchema>;

export const claimRequestSchema = z.object({ sessionId: z.string(), claim: claimSchema });

const callSchema = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

const missingSchema = z.object({
  code: z.string().describe('Which kind of gap.'),
  message: z.string(),
  call: callSchema.optional().describe('The call that would supply what is missing, where one does.'),
});

export const claimAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), unverified: z.int().min(0).optional() }),
  z.object({ kind: z.literal('refused'), gaps: z.array(missingSchema) }),
]);
export type ClaimAnswer = z.output<typeof claimAnswerSchema>;

/** Whether the work may be handed over; the gaps stand in the order to close them. */
export const gateAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no_change') }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('blocked'), findings: z.array(z.string()) }),
  z.object({ kind: z.literal('missing'), gaps: z.array(missingSchema) }),
]);
export type GateAnswer = z.output<typeof gateAnswerSchema>;

/** `_meta` of the answer to `session/prompt`: how the turn ended, in the worker's words. */
export const turnFactsSchema = z.object({
  phase: z
    .enum(['done', 'readiness_paused', 'budget_spent', 'no_progress', 'model_failed'])
    .describe('Only `done` says that the work may be looked at as finished.'),
  reason: z.string().max(16_384).optional().describe('What is missing, which budget, which failure; the next step.'),
});
export type TurnFacts = z.output<typeof turnFactsSchema>;
