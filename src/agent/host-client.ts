import { RequestError } from '@agentclientprotocol/sdk';
import { DENIED, META } from '../protocol/index.ts';

/** The way to the host that this process works for. */
export interface HostClient {
  readonly sessionId: string;
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The sentence of an effect that the host denied or could not do; anything else is a defect of the connection. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const denied = error.code === DENIED ? 'is denied: ' : '';
  return `${denied}${error.message}`.slice(0, 4_000).replace(/\.$/, '');
}

/** What a host of our kind adds to an answer. */
export function metaOf(answer: unknown): unknown {
  const meta = (answer as { _meta?: Record<string, unknown> | null } | null | undefined)?._meta;
  return meta?.[META];
}
