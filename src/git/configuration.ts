import { decodePath, RemitError } from '../base/index.ts';
import type { Setting } from './neutral-environment.ts';
import type { Git } from './open-git.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** The effective configuration of a place, in Git's order: of two entries with one key the later counts. */
export type Configuration = readonly Setting[];

export async function readConfiguration(git: Git, place: GitPlace): Promise<Configuration> {
  const { stdout } = await runGit(git, place, { args: ['config', '--list', '-z', '--includes'] });
  return splitRecords(stdout).map((record) => {
    const text = decodePath(record);
    const end = text.indexOf('\n');
    return end < 0 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)];
  });
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
