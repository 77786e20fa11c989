import { changesOf, type Observation } from '../../evidence/index.ts';
import type { GateAnswer } from '../../protocol/index.ts';
import { describeGaps } from '../tools/refused-claim.ts';

type Gap = Extract<GateAnswer, { kind: 'missing' }>['gaps'][number];

/** Of one prompt; then the turn ends, whatever the model says. */
const MOST_NUDGES = 12;

/** What the model is told when it ends although something is missing: once for each gap, with the exact call to make. */
export class Nudges {
  readonly #told = new Set<string>();
  #count = 0;

  /** `undefined`: everything that is missing was told, or too much of it. */
  next(gate: Extract<GateAnswer, { kind: 'missing' | 'blocked' }>, ledger: readonly Observation[]): string | undefined {
    // After another change the same gap is another one.
    const { last } = changesOf(ledger);
    const told = gate.kind === 'blocked' ? this.#blocked(gate.findings, last) : this.#missing(gate.gaps, last);
    if (told === undefined || this.#count >= MOST_NUDGES) return undefined;
    this.#count += 1;
    return told;
  }

  #missing(gaps: readonly Gap[], last: number): string | undefined {
    // They stand in the order to close them: what belongs together is told together, the rest when its turn comes.
    const first = gaps.filter(({ code }) => code === gaps[0]?.code);
    const fresh = first.filter((gap) => this.#isNew(`${gap.code} ${gap.message}`, last));
    if (fresh.length === 0) return undefined;
    return `You cannot end yet:\n${describeGaps(fresh)}`;
  }

  #blocked(findings: readonly string[], last: number): string | undefined {
    if (!this.#isNew(`blocked ${findings.join('\n')}`, last)) return undefined;
    const list = findings.map((finding) => `- ${finding}`).join('\n');
    return `The review forbids delivery:\n${list}\nMend what it found, then review the change again. If it cannot be mended, say so and end.`;
  }

  #isNew(gap: string, last: number): boolean {
    const key = `${last} ${gap}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

/** Why a turn ends although the work is not ready. */
export function readinessReason(gate: Extract<GateAnswer, { kind: 'missing' | 'blocked' }>): string {
  if (gate.kind === 'blocked')
    return `The review forbids delivery:\n${gate.findings.map((finding) => `- ${finding}`).join('\n')}`;
  return `Missing before the work can be handed over:\n${describeGaps(gate.gaps)}`;
}
