import { type DeliveryRequirements, deliveryGate, type Observation } from '../evidence/index.ts';
import { type Claim, type ClaimAnswer, type GateAnswer, gateAnswer, judgeClaim } from '../protocol/index.ts';

/**
 * Who judges what the worker says of its own work. Under Remit that is the host by its own ledger, elsewhere the worker's
 * process by the ledger that it is handed: everything observed so far, oldest first.
 */
export interface Authority {
  claim(claim: Claim, ledger: readonly Observation[]): Promise<ClaimAnswer>;
  gate(ledger: readonly Observation[]): Promise<GateAnswer>;
}

/** Without a contract no command is demanded. */
const NO_CONTRACT: DeliveryRequirements = { commands: [], lane: 'deep' };

/** The worker's process as judge, for a host that is none; `root` is the repository's absolute folder. */
export function localAuthority(root: string): Authority {
  return {
    claim: async (claim, ledger) => judgeClaim(claim, ledger, root),
    gate: async (ledger) => gateAnswer(deliveryGate({ ledger, requirements: NO_CONTRACT, worktree: root })),
  };
}
