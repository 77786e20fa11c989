import { z } from 'zod';
import type { ModelUsage } from '../models/model.ts';

const tokens = z.number().min(0);

/** What a session has used so far, its reviewer included; in tokens. */
export const sessionUsageSchema = z.strictObject({
  requests: tokens,
  input: tokens,
  cachedInput: tokens,
  output: tokens,
  reasoning: tokens,
});
export type SessionUsage = Readonly<z.output<typeof sessionUsageSchema>>;

export const NOTHING_USED: SessionUsage = { requests: 0, input: 0, cachedInput: 0, output: 0, reasoning: 0 };

export function addUsage(sum: SessionUsage, { input, cachedInput, output, reasoning }: ModelUsage): SessionUsage {
  return {
    requests: sum.requests + 1,
    input: sum.input + input,
    cachedInput: sum.cachedInput + cachedInput,
    output: sum.output + output,
    reasoning: sum.reasoning + reasoning,
  };
}
