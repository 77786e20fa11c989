import { posix } from 'node:path';
import type { Scope } from '../contract/index.ts';

/** The target of a link in the candidate tree as stored text; undefined when there is no link of that path. */
export type ReadLink = (path: string) => Promise<string | undefined>;

/** As many links as Linux follows before it gives up (ELOOP). */
const MAX_HOPS = 40;

/**
 * Whether a link of the candidate tree leads out of the tree, into `.git`, or into what the contract forbids. It is
 * followed as a checkout would, through other links of the tree, but only in the tree: nothing on a disk is looked at.
 */
export async function leadsOut(path: string, target: string, scope: Scope, readLink: ReadLink): Promise<boolean> {
  const steps = [...partsOf(posix.dirname(path)), ...partsOf(target)];
  if (isAbsolute(target)) return true;
  const place: string[] = [];
  for (let hops = 0; steps.length > 0; ) {
    const step = steps.shift() ?? '';
    if (step === '..') {
      if (place.pop() === undefined) return true;
      continue;
    }
    place.push(step);
    if (isForbidden(place.join('/'), scope)) return true;
    const next = await readLink(place.join('/'));
    if (next === undefined) continue;
    hops += 1;
    if (hops > MAX_HOPS || isAbsolute(next)) return true;
    place.pop();
    steps.unshift(...partsOf(next));
  }
  return false;
}

function isForbidden(place: string, scope: Scope): boolean {
  return place.split('/')[0]?.toLowerCase() === '.git' || scope.classify(place).kind === 'forbidden';
}

function isAbsolute(target: string): boolean {
  return target === '' || target.startsWith('/') || target.includes('\0');
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
