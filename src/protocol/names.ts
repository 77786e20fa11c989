import { z } from 'zod';

/** Under this member of `_meta` stands everything of ours, in requests and answers of ACP's own methods. */
export const META = 'remit';

/** Requests beyond ACP's own. The first four go to the host, the last to the worker. */
export const METHODS = {
  move: '_remit/fs/move',
  remove: '_remit/fs/remove',
  claim: '_remit/claim',
  gate: '_remit/gate',
  steer: '_remit/steer',
} as const;

/** JSON-RPC code of an effect that policy or the supervisor denied; its message says by which clause, and what would succeed. */
export const DENIED = -32_010;

/** `clientCapabilities._meta` of a host that has these services beside ACP's file system and terminal. */
export const SERVICES_OFFER = { [META]: { services: 1 } } as const;

const offerSchema = z.object({ [META]: z.object({ services: z.literal(1) }) });

/** Whether a client's `_meta` says that it is a host of this kind. */
export function offersServices(meta: unknown): boolean {
  return offerSchema.safeParse(meta).success;
}
