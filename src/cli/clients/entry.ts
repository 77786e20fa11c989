import { isDeepStrictEqual } from 'node:util';
import { RemitError } from '../../base/index.ts';
import type { Entry } from './client.ts';

/** The place of an entry: the member that holds the servers, and the server's name in it. */
export type EntryPath = readonly [servers: string, name: string];

export interface Found {
  /** What stands under the name, as the client reads it. */
  readonly previous: unknown;
  /** The names of all servers in the file. */
  readonly names: readonly string[];
}

export function findEntry(file: unknown, [servers, name]: EntryPath): Found {
  const present = ownMember(file, servers);
  return { previous: ownMember(present, name), names: isTable(present) ? Object.keys(present) : [] };
}

/** The same content; the order of members does not matter. */
export function sameEntry(previous: unknown, entry: Entry): boolean {
  return isDeepStrictEqual(plain(previous), plain(entry));
}

/** The proof that an edit did what it should: read anew, the file differs in the one entry and in nothing else. */
export function requireOnlyEntryChanged(
  before: Readonly<Record<string, unknown>>,
  after: unknown,
  [servers, name]: EntryPath,
  entry: Entry,
): void {
  const others = isTable(before[servers]) ? before[servers] : {};
  const expected = { ...before, [servers]: { ...others, [name]: entry } };
  if (!isDeepStrictEqual(plain(after), plain(expected)))
    throw new RemitError(
      'invalid_request',
      `"${name}" cannot be put there without changing something else; add it by hand`,
    );
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The member itself, never one that every object inherits. */
export function ownMember(value: unknown, name: string): unknown {
  return isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The same value with one kind of object, so that only content is compared. Dates become their text. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return `${value.constructor.name} ${String(value.valueOf())} ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
