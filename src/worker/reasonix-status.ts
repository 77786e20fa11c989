import { z } from 'zod';
import { eventLine, eventText } from './events.ts';
import { reasonixUsage, type Usage } from './usage.ts';

export const STATUS_METHOD = '_reasonix.io/session/status';
export const STATUS_UPDATE_METHOD = '_reasonix.io/session/status_update';

/** What Remit needs of a Reasonix status. Whatever is missing or of another shape is unknown. */
export interface ReasonixStatus {
  readonly mode?: string;
  readonly workMode?: string;
  readonly effort?: string;
  readonly phase?: string;
  readonly readiness?: { readonly ready: boolean; readonly summary?: string; readonly risks: readonly string[] };
  /** Since the session began. */
  readonly usage?: Usage;
}

const word = z
  .string()
  .transform((text) => eventLine(text, 100))
  .optional()
  .catch(undefined);

const statusSchema = z.object({
  mode: word,
  workMode: word,
  effort: word,
  phase: word,
  finalReadiness: z
    .object({
      readyForReview: z.boolean(),
      summary: z
        .string()
        .transform((text) => eventText(text, 2_000))
        .optional()
        .catch(undefined),
      risks: z.array(z.unknown()).catch([]),
    })
    .optional()
    .catch(undefined),
  usage: z.object({ cumulative: z.unknown() }).optional().catch(undefined),
});

/** Reads a status as `_reasonix.io/session/status` answers it; anything that is no object gives an empty one. */
export function readReasonixStatus(value: unknown): ReasonixStatus {
  const parsed = statusSchema.safeParse(value);
  if (!parsed.success) return {};
  const { mode, workMode, effort, phase, finalReadiness, usage } = parsed.data;
  const used = reasonixUsage(usage?.cumulative);
  return {
    ...(mode !== undefined && { mode }),
    ...(workMode !== undefined && { workMode }),
    ...(effort !== undefined && { effort }),
    ...(phase !== undefined && { phase }),
    ...(finalReadiness && { readiness: readinessOf(finalReadiness) }),
    ...(used && { usage: used }),
  };
}

function readinessOf(value: { readyForReview: boolean; summary?: string | undefined; risks: unknown[] }) {
  const risks = value.risks
    .slice(0, 50)
    .map((risk) => eventLine(typeof risk === 'string' ? risk : JSON.stringify(risk)));
  return {
    ready: value.readyForReview,
    risks,
    ...(value.summary !== undefined && value.summary !== '' && { summary: value.summary }),
  };
}
