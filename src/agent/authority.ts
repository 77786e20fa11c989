import type { Observation } from '../evidence/index.ts';
import type { Claim, ClaimAnswer, GateAnswer } from '../protocol/index.ts';

/**
 * Who judges what the worker says of its own work. Under Remit that is the host by its own ledger, elsewhere the worker's
 * process by the ledger that it is handed: everything observed so far, oldest first.
 */
export interface Authority {
  claim(claim: Claim, ledger: readonly Observation[]): Promise<ClaimAnswer>;
  gate(ledger: readonly Observation[]): Promise<GateAnswer>;
}
