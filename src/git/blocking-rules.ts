import { lstatSync, type Stats } from 'node:fs';
import { Breath } from './breath.ts';
import { joinBytes } from './remove-directory.ts';

/**
 * Rule files of a checkout that are neither files, links nor folders: Git would wait for ever on a pipe, and it looks for one
 * of these names beside every tracked file. (It does not follow a link there.) Paths are bytes in Latin-1.
 */
export async function findBlockingRules(
  root: string,
  folders: Iterable<string>,
  names: readonly string[],
): Promise<string[]> {
  const breath = new Breath();
  const found: string[] = [];
  for (const directory of ['', ...folders]) {
    await breath.take();
    for (const name of names) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const facts = lookAt(joinBytes(Buffer.from(root), Buffer.from(path, 'latin1')));
      if (facts !== undefined && !facts.isFile() && !facts.isSymbolicLink() && !facts.isDirectory()) found.push(path);
    }
  }
  return found;
}

function lookAt(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
