import { basename } from 'node:path';
import { RemitError } from '../../base/index.ts';
import type { TaskContractV1 } from '../../contract/index.ts';
import { discoverRepository, openGit } from '../../git/index.ts';
import { lintText, resultForPeople } from '../lint-source.ts';
import { nameOf, readSource } from '../read-source.ts';
import { styleFor } from '../terminal.ts';

export interface ReadContract {
  readonly contract: TaskContractV1;
  readonly hash: string;
}

/**
 * The contract of a file, or of standard input for '-', with its paths made relative to the repository's root. Throws
 * `invalid_contract` with every problem in its details.
 */
export async function readContract(
  source: string,
  place: { readonly directory: string; readonly pathBase: 'cwd' | 'repository' },
): Promise<ReadContract> {
  const prefix = place.pathBase === 'cwd' ? await prefixOf(place.directory) : '';
  const result = lintText(await readSource(source), prefix);
  if (result.ok) return { contract: result.contract, hash: result.hash };
  throw new RemitError('invalid_contract', resultForPeople(nameOf(source), result, styleFor({}, {})), {
    details: { problems: result.problems },
  });
}

async function prefixOf(directory: string): Promise<string> {
  const found = await discoverRepository(await openGit(), directory);
  if (found.kind === 'repository') return found.prefix;
  throw new RemitError(found.code, found.reason);
}

const MAX_NAME = 50;
const HASH_DIGITS = 6;

/** The same contract has the same id, so that running it again comes back to its task: `add-login.jsonc` → `add-login-3fa9c1`. */
export function defaultTaskId(source: string, hash: string): string {
  const name = (source === '-' ? '' : basename(source))
    .replace(/(?:\.task|\.contract)?\.jsonc?$/i, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_NAME)
    .replace(/[-_]+$/, '');
  return `${name === '' ? 'task' : name}-${hash.slice(0, HASH_DIGITS)}`;
}
