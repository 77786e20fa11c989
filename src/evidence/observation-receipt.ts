import { redactDeep, truncateUtf8 } from '../base/index.ts';
import { type Observation, observationSchema } from './observation.ts';
import type { Receipt, ReceiptDraft } from './receipt.ts';
import { commandLine } from './tool-calls.ts';

/** A worker's own words. Everything else is what the host saw. */
const CLAIMS: ReadonlySet<Observation['kind']> = new Set(['step', 'report', 'todos']);

/**
 * What was seen as a receipt that holds all of it; `how` says how it came about where that is not plain, `success` whether a
 * claim was accepted. Credentials in a command's output are taken out, so that what they covered counts as unseen.
 */
export function observationReceipt(
  observation: Observation,
  { at, success = true, how }: { at: string; success?: boolean; how?: string },
): ReceiptDraft {
  return {
    at,
    source: CLAIMS.has(observation.kind) ? 'worker' : 'host',
    kind: observation.kind,
    subject: truncateUtf8(subjectOf(observation), 4096),
    success: observation.kind === 'command' ? observation.exit_code === 0 : success,
    facts: { observation: kept(redactDeep(observation)), ...(how !== undefined && { how }) },
  };
}

/** What a receipt says was seen, if it says that. The gate judges a claim anew, whatever was thought of it when it came. */
export function observationOf({ facts, source, kind }: Receipt): Observation | undefined {
  const parsed = observationSchema.safeParse(restored(facts['observation']));
  if (!parsed.success || parsed.data.kind !== kind) return undefined;
  return (source === 'worker') === CLAIMS.has(kind) ? parsed.data : undefined;
}

/** Canonical JSON (RFC 8785) has no lone surrogates, which stand for bytes of a name that are no UTF-8: such a text is kept as its code units. */
const CODE_UNITS = 'utf16le_base64';

function kept(value: unknown): unknown {
  if (typeof value === 'string')
    return value.isWellFormed() ? value : { [CODE_UNITS]: Buffer.from(value, 'utf16le').toString('base64') };
  return withMembers(value, kept);
}

function restored(value: unknown): unknown {
  const units = (value as Record<string, unknown> | null | undefined)?.[CODE_UNITS];
  return typeof units === 'string' ? Buffer.from(units, 'base64').toString('utf16le') : withMembers(value, restored);
}

function withMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
}

function subjectOf(observation: Observation): string {
  switch (observation.kind) {
    case 'read':
    case 'write':
      return observation.path.toWellFormed();
    case 'command':
      return commandLine(observation.argv).toWellFormed();
    case 'step':
      return observation.step.step;
    case 'report':
      return `${observation.report.kind}: ${observation.report.verdict}`;
    case 'todos':
      return `${observation.items.length} todos`;
  }
}
