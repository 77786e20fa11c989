import { joinRecords } from './configuration.ts';
import type { Git } from './open-git.ts';
import { readBlobs } from './read-objects.ts';
import { commonPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** One `.gitignore` or `.gitattributes` of a commit. */
export interface RuleFile {
  /** Folder that it is in, '' for the root, as bytes in Latin-1. */
  readonly directory: string;
  readonly bytes: Buffer;
}

export interface RuleFiles {
  readonly ignores: readonly RuleFile[];
  readonly attributes: readonly RuleFile[];
}

/** The rule files of a commit: regular files only, since Git follows no link there. Two Git calls, one where there are none. */
export async function readRuleFiles(git: Git, repository: Repository, commit: string): Promise<RuleFiles> {
  const place = commonPlace(repository);
  const listing = await runGit(git, place, { args: ['ls-tree', '-r', '-z', '--full-tree', commit] });
  const found = [...findEntries(listing.stdout, '.gitignore'), ...findEntries(listing.stdout, '.gitattributes')];
  const blobs = await readBlobs(git, place, joinRecords(found.map(({ object }) => Buffer.from(object))));
  const files = found.map(({ name, directory }, at) => ({
    name,
    directory,
    bytes: blobs[at]?.bytes ?? Buffer.alloc(0),
  }));
  const named = (wanted: string) =>
    files.filter(({ name }) => name === wanted).map(({ directory, bytes }) => ({ directory, bytes }));
  return { ignores: named('.gitignore'), attributes: named('.gitattributes') };
}

interface Entry {
  readonly name: string;
  readonly directory: string;
  readonly object: string;
}

/** Searches the bytes instead of splitting them: of fifty thousand entries hardly one is a rule file. */
function findEntries(listing: Buffer, name: string): Entry[] {
  const entries: Entry[] = [];
  const wanted = Buffer.from(`${name}\0`);
  for (let at = listing.indexOf(wanted); at >= 0; at = listing.indexOf(wanted, at + wanted.length)) {
    const start = listing.lastIndexOf(0, at) + 1;
    const record = listing.toString('latin1', start, at + name.length);
    const match = /^100\d{3} blob ([0-9a-f]+)\t(?:(.*)\/)?([^/]+)$/s.exec(record);
    if (match?.[3] === name) entries.push({ name, object: match[1] ?? '', directory: match[2] ?? '' });
  }
  return entries;
}
