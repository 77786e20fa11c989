import { redact, redactDeep } from '../../base/index.ts';
import { isTable, ownMember } from './entry.ts';

const MARK = '[redacted]';

/**
 * An entry to be shown: without the values of the variables that it gives to the server, which may be keys, and without whatever
 * else looks like one. It is JSON: dates and large numbers, which TOML has besides, come out as texts.
 */
export function withoutValues(entry: unknown, variables: string): unknown {
  const given = ownMember(entry, variables);
  const names = isTable(given) ? Object.keys(given) : [];
  const masked = Object.fromEntries(names.map((name) => [name, MARK]));
  const shown = isTable(entry) && isTable(given) ? { ...entry, [variables]: masked } : entry;
  const text = JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return redactDeep(JSON.parse(text));
}

/**
 * A part of the file to be shown, without the values of this entry's variables; undefined where one is written in another way
 * (over several lines, say, or with escapes), so that it cannot be found to be hidden.
 */
export function hideValues(text: string, entry: unknown, variables: string): string | undefined {
  const given = ownMember(entry, variables);
  const values = isTable(given) ? Object.values(given).map(String) : [];
  const spellings = (value: string) => [value, JSON.stringify(value).slice(1, -1)];
  const removed = text.split('\n').filter((line) => line.startsWith('-'));
  const isFound = (value: string) => spellings(value).some((one) => removed.some((line) => line.includes(one)));
  if (!values.every(isFound)) return undefined;
  // As they stand in a file too, where quotes and the like are escaped; the longest first, since one may contain another.
  const hidden = [...new Set(values.flatMap(spellings))]
    .filter((value) => value.length > 3)
    .sort((a, b) => b.length - a.length);
  return redact(hidden.reduce((rest, value) => rest.replaceAll(value, MARK), text));
}
