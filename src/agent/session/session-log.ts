import { z } from 'zod';
import { type Observation, observationSchema } from '../../evidence/index.ts';
import { type TurnFacts, turnFactsSchema } from '../../protocol/index.ts';
import type { Message, ToolAnswer } from '../models/model.ts';
import { type SessionUsage, sessionUsageSchema } from './session-usage.ts';

const record = z.record(z.string(), z.unknown());
const answerSchema = z.strictObject({ id: z.string(), name: z.string(), text: z.string(), isError: z.boolean() });
const partSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('reasoning'), text: z.string(), provider: record.optional() }),
  z.strictObject({
    ...{ kind: z.literal('call'), id: z.string(), name: z.string(), input: z.string() },
    provider: record.optional(),
  }),
]);
const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), text: z.string(), asked: z.literal(true).optional() }),
  z.strictObject({ role: z.literal('assistant'), parts: z.array(partSchema) }),
  z.strictObject({ role: z.literal('tool'), results: z.array(answerSchema) }),
]);

/** One line of a session's file. What a call saw and answered stands once, in its result. */
export const sessionEntrySchema = z.discriminatedUnion('kind', [
  /** Of the user or the model; the answers to calls are put together from their results. */
  z.strictObject({ kind: z.literal('message'), message: messageSchema }),
  /** Before a call that may change something: whoever finds it without a result does not know whether it happened. */
  z.strictObject({
    ...{ kind: z.literal('intent'), id: z.string(), tool: z.string(), input: z.string() },
    before: z.record(z.string(), z.string().nullable()).optional(),
  }),
  z.strictObject({ kind: z.literal('result'), answer: answerSchema, observations: z.array(observationSchema) }),
  /** What somebody else saw in this session: its reviewer, or a look after a crash. */
  z.strictObject({ kind: z.literal('observed'), observations: z.array(observationSchema) }),
  /** Takes the place of everything that was said before it. */
  z.strictObject({ kind: z.literal('compaction'), messages: z.array(messageSchema) }),
  z.strictObject({ kind: z.literal('usage'), usage: sessionUsageSchema }),
  z.strictObject({ kind: z.literal('turn_end'), facts: turnFactsSchema.optional() }),
]);

export type SessionEntry =
  | { readonly kind: 'message'; readonly message: Message }
  | ({ readonly kind: 'intent' } & Intent)
  | { readonly kind: 'result'; readonly answer: ToolAnswer; readonly observations: readonly Observation[] }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] }
  | { readonly kind: 'compaction'; readonly messages: readonly Message[] }
  | { readonly kind: 'usage'; readonly usage: SessionUsage }
  | { readonly kind: 'turn_end'; readonly facts?: TurnFacts | undefined };

/** A call that was about to be run. */
export interface Intent {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  /** SHA-256 of each file that it names as it was before; null where there was none. */
  readonly before?: Readonly<Record<string, string | null>> | undefined;
}

/** Where a session is kept. When `append` resolves, the entry survives the end of the process and of the machine. */
export interface SessionLog {
  append(entry: SessionEntry): Promise<void>;
}
