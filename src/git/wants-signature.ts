import type { Configuration } from './configuration.ts';

/** Whether the user wants commits signed (`commit.gpgSign`). Remit's own never are: a signing program may wait for a person. */
export function wantsSignature(configuration: Configuration): boolean {
  // The scope `command` is Remit's own neutralisation.
  const wish = configuration.findLast(([key, , scope]) => key === 'commit.gpgsign' && scope !== 'command')?.[1];
  return wish !== undefined && isTrue(wish);
}

/** Boolean values of git-config(1): a word, or a number. */
function isTrue(value: string): boolean {
  const word = value.toLowerCase();
  return ['true', 'yes', 'on'].includes(word) || /^[+-]?0*[1-9]\d*[kmg]?$/.test(word);
}
