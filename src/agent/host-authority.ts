import { claimAnswerSchema, gateAnswerSchema, METHODS } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import { type HostClient, refusalOf } from './host-client.ts';

/** The host judges by what it saw itself; what this process has recorded is not asked. */
export function hostAuthority(host: HostClient): Authority {
  const { sessionId } = host;
  return {
    async claim(claim) {
      try {
        return claimAnswerSchema.parse(await host.request(METHODS.claim, { sessionId, claim }));
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        return { kind: 'refused', gaps: [{ code: 'host', message: refusal }] };
      }
    },
    gate: async () => gateAnswerSchema.parse(await host.request(METHODS.gate, { sessionId })),
  };
}
