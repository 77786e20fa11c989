import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Who calls, as far as the program tells about itself. */
export interface Caller {
  /** `stateless`: 2026-07-28, each request says all; the server cannot ask back. `session`: after an `initialize`. */
  readonly era: 'session' | 'stateless';
  readonly name: string;
  readonly hasRoots: boolean;
}

interface SessionClient {
  readonly info: () => Implementation | undefined;
  readonly capabilities: () => ClientCapabilities | undefined;
}

/** What a request of the 2026 era carries; the SDK checks it but gives it no type. */
const envelopeSchema = z.object({
  [PROTOCOL_VERSION_META_KEY]: z.string(),
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ roots: z.unknown() }).optional().catch(undefined),
});

export function callerOf(client: SessionClient, { mcpReq }: ServerContext): Caller {
  const envelope = envelopeSchema.safeParse(mcpReq.envelope);
  if (envelope.success) {
    return {
      era: 'stateless',
      name: envelope.data[CLIENT_INFO_META_KEY]?.name ?? '',
      hasRoots: envelope.data[CLIENT_CAPABILITIES_META_KEY]?.roots !== undefined,
    };
  }
  return { era: 'session', name: client.info()?.name ?? '', hasRoots: client.capabilities()?.roots !== undefined };
}
