import { changesOf, type Observation } from '../../evidence/index.ts';
import type { GateAnswer } from '../../protocol/index.ts';
import { describeGap } from '../tools/refused-claim.ts';

type Gap = Extract<GateAnswer, { kind: 'missing' }>['gaps'][number];

/** Of one prompt; then the turn ends, whatever the model says. */
const MOST_NUDGES = 12;

/** What the model is told when it ends although something is missing: once for each gap, with the exact call to make. */
export class Nudges {
  readonly #told = new Set<string>();
  #count = 0;

  /** `undefined`: everything that is missing was told, or too much of it. */
  next(gate: Extract<GateAnswer, { kind: 'missing' | 'blocked' }>, ledger: readonly Observation[]): string | undefined {
    const told = gate.kind === 'blocked' ? this.#blocked(gate.findings, ledger) : this.#missing(gate.gaps, ledger);
    if (told === undefined || this.#count >= MOST_NUDGES) return undefined;
    this.#count += 1;
    return told;
  }

  #missing(gaps: readonly Gap[], ledger: readonly Observation[]): string | undefined {
    // They stand in the order to close them: what belongs together is told together, the rest when its turn comes.
    const first = gaps.filter(({ code }) => code === gaps[0]?.code);
    const fresh = first.filter((gap) => this.#isNew(`${gap.code} ${gap.message}`, ledger));
    if (fresh.length === 0) return undefined;
    return ['You cannot end yet:', ...fresh.map(describeGap)].join('\n');
  }

  #blocked(findings: readonly string[], ledger: readonly Observation[]): string | undefined {
    if (!this.#isNew(`blocked ${findings.join('\n')}`, ledger)) return undefined;
    const list = findings.map((finding) => `- ${finding}`).join('\n');
    return `The review forbids delivery:\n${list}\nMend what it found, then review the change again. If it cannot be mended, say so and end.`;
  }

  /** After another change the same gap is another one. */
  #isNew(gap: string, ledger: readonly Observation[]): boolean {
    const key = `${changesOf(ledger).last} ${gap}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

/** Why a turn ends although the work is not ready. */
export function readinessReason(gate: Extract<GateAnswer, { kind: 'missing' | 'blocked' }>): string {
  if (gate.kind === 'blocked')
    return `The review forbids delivery:\n${gate.findings.map((finding) => `- ${finding}`).join('\n')}`;
  return `Missing before the work can be handed over:\n${gate.gaps.map(describeGap).join('\n')}`;
}
