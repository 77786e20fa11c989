/** What the bundled worker sends to its model: the size of its tools' contracts, and how much of each request repeats the one before. */
import { toolContracts } from '../../src/agent/index.ts';
import { canonicalJson } from '../../src/base/index.ts';
import { type Measurement, summarize } from './measure.ts';
import { prefixShares, readSent, type SentRequest } from './prefix-share.ts';
import { runWorkerSession } from './worker-session.ts';

/** In bytes: 12 KB. */
export const CONTRACT_LIMIT = 12_000;
/** Of each request after the first three, in which the worker reads its way in. */
export const LEAST_SHARE = 0.97;
const FREE_REQUESTS = 3;

/** Of names, descriptions and schemas of all tools together, as canonical JSON. */
export function contractBytes(): number {
  const contracts = toolContracts().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return Buffer.byteLength(canonicalJson(contracts));
}

export interface SessionShares {
  readonly requests: number;
  /** Of each request after the first three. */
  readonly shares: readonly number[];
  /** Of every request but the first: the part of the one before that it repeats. */
  readonly kept: readonly number[];
  /** How many different tools and system texts were sent. */
  readonly heads: number;
}

/**
 * A share below 1 is what is new: the model's last answer and what its calls were told. So it also says how large those were,
 * which a worker that never changes what it sent cannot make better; `kept` says that alone.
 */
export function sharesOf(requests: readonly SentRequest[]): SessionShares {
  const all = prefixShares(requests);
  return {
    requests: requests.length,
    shares: all.filter(({ request }) => request > FREE_REQUESTS).map(({ share }) => share),
    kept: all.map(({ kept }) => kept),
    heads: new Set(requests.map(({ head }) => head)).size,
  };
}

export async function measureWorker(): Promise<Measurement[]> {
  const { requests, shares, kept, heads } = sharesOf((await runWorkerSession()).map(readSent));
  const percent = (parts: readonly number[]) => summarize(parts.map((part) => part * 100));
  const bytes = { unit: 'B', ...summarize([contractBytes()]), target: { most: CONTRACT_LIMIT, of: 'unit' } } as const;
  return [
    { what: 'worker: contracts of all tools', ...bytes },
    {
      what: `worker: part of a request that repeats the one before, ${requests} requests`,
      unit: '%',
      ...percent(shares),
      target: { least: LEAST_SHARE * 100 },
    },
    { what: 'worker: part of a request that the next repeats', unit: '%', ...percent(kept), target: { least: 100 } },
    {
      what: 'worker: different tools and system texts',
      unit: '',
      ...summarize([heads]),
      target: { most: 1, of: 'unit' },
    },
  ];
}
