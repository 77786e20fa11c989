import { RemitError } from '../base/index.ts';
import { eventText, type TurnOutcome } from '../worker/index.ts';
import type { WorkEnd } from './landing.ts';

/** Either the worker is idle and its work can be looked at, or its turn was interrupted. */
export type TurnEnd =
  | { readonly kind: 'idle'; readonly outcome: EndedTurn }
  | { readonly kind: 'interrupted'; readonly end: WorkEnd };

type EndedTurn = Extract<TurnOutcome, { kind: 'ended' }>;

/** What the end of a turn means for the task; `expired` tells that the host ended it at its deadline. */
export function judgeTurn(outcome: TurnOutcome, deadline: { expired: boolean; limitMs: number }): TurnEnd {
  if (deadline.expired) {
    const limit = `its deadline of ${deadline.limitMs / 1000} s`;
    return interrupted('deadline', `The worker reached ${limit}; its work is kept. Resume to give it as long again.`);
  }
  if (outcome.kind === 'ended' && outcome.stopReason !== 'cancelled') return ended(outcome);
  return interruption(outcome);
}

/** What a worker that works through the host says of its turn: whether its work is ready the host decides by itself. */
function ended(outcome: EndedTurn): TurnEnd {
  const { facts } = outcome;
  if (facts === undefined || facts.phase === 'done' || facts.phase === 'readiness_paused')
    return { kind: 'idle', outcome };
  return interrupted(facts.phase, eventText(facts.reason ?? 'The worker gave no reason.'));
}

function interruption(outcome: TurnOutcome): TurnEnd {
  switch (outcome.kind) {
    case 'denied_repeatedly':
      return interrupted(
        'denied_repeatedly',
        `The worker asked three times for what is denied: ${outcome.action}. ` +
          (outcome.decision.kind === 'deny' ? `${outcome.decision.clause}: ${outcome.decision.hint}` : ''),
      );
    case 'exited':
      return interrupted('worker_exited', outcome.reason);
    case 'protocol_error':
      return interrupted('worker_protocol_error', outcome.reason);
    case 'ended':
    case 'cancelled':
      return interrupted(
        'turn_cancelled',
        'The worker ended its turn as cancelled, although nobody asked it to. Its work is kept: resume.',
      );
  }
}

function interrupted(phase: string, reason: string): TurnEnd {
  return { kind: 'interrupted', end: { kind: 'interrupted', phase, reason } };
}

/** Facts of the turn that a reviewer should know; the worker's own words stay claims. */
export function turnRisks(outcome: EndedTurn): string[] {
  const risks: string[] = [];
  if (outcome.readiness && !outcome.readiness.ready) {
    const gap = [outcome.readiness.summary, ...outcome.readiness.risks].filter(Boolean).join('; ');
    risks.push(`The worker itself says that its work is not ready: ${gap || 'no reason given'}`);
  } else if (outcome.phase === 'readiness_paused') {
    risks.push('The worker ended without its own final check (readiness_paused).');
  }
  if (outcome.facts?.phase === 'readiness_paused')
    risks.push(`The worker itself says that its work is not ready: ${eventText(outcome.facts.reason ?? '')}`);
  if (outcome.stopReason !== 'end_turn')
    risks.push(`The worker stopped with "${outcome.stopReason}", not at the end of its turn.`);
  if (!outcome.asked)
    risks.push('The worker never asked for permission; only the sandbox and the snapshot held the scope.');
  return risks;
}

/** A worker that could not be started, under the code of its family. */
export function workerRefused(
  adapter: string,
  refusal: { failure: 'unavailable' | 'incompatible'; reason: string },
): RemitError {
  const family = adapter === 'reasonix' ? 'reasonix' : 'worker';
  return new RemitError(`${family}_${refusal.failure}`, refusal.reason);
}
