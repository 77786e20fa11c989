import { decodePath, RemitError } from '../base/index.ts';
import type { Setting } from './neutral-environment.ts';
import type { Git } from './open-git.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** One entry; `scope` as `git config --show-scope` says it: `command` is what Remit itself sets. */
export type ConfigurationEntry = readonly [key: string, value: string, scope: string];

/** The effective configuration of a place, in Git's order: of two entries with one key the later counts. */
export type Configuration = readonly ConfigurationEntry[];

export async function readConfiguration(git: Git, place: GitPlace): Promise<Configuration> {
  const { stdout } = await runGit(git, place, { args: ['config', '--list', '-z', '--show-scope', '--includes'] });
  const records = splitRecords(stdout).map((record) => decodePath(record));
  const entries: ConfigurationEntry[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [scope = '', text = ''] = records.slice(at, at + 2);
    const end = text.indexOf('\n');
    entries.push(end < 0 ? [text, 'true', scope] : [text.slice(0, end), text.slice(end + 1), scope]);
  }
  return entries;
}

/** The last value of a key, which is given in lower case. */
export function lastValue(configuration: Configuration, key: string): string | undefined {
  return configuration.findLast(([name]) => name === key)?.[1];
}

const FILTER_KEY = /^filter\.(.*)\.[^.]+$/s;

/**
 * Settings that switch off every filter driver that the configuration knows. `filter.*.clean` runs on `status` and `add`,
 * `smudge` on checkout; both are commands of whoever wrote the configuration. Throws for a name that no environment
 * variable can carry.
 */
export function withoutFilters(configuration: Configuration): Setting[] {
  const names = new Set<string>();
  for (const [key] of configuration) {
    const name = FILTER_KEY.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].flatMap((name) => {
    if (!name.isWellFormed()) {
      throw new RemitError(
        'unsupported_platform',
        'a filter driver in the Git configuration has a name that is not UTF-8',
      );
    }
    return [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ] as Setting[];
  });
}

/** Splits NUL-terminated records. */
export function splitRecords(bytes: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0, start);
    const end = found < 0 ? bytes.length : found;
    records.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return records;
}

/** NUL-terminated input from paths. */
export function joinRecords(records: readonly Uint8Array[]): Buffer {
  return Buffer.concat(records.flatMap((record) => [record, Buffer.of(0)]));
}
