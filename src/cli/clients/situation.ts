import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from './client.ts';
import type { ConfigFile } from './config-file.ts';
import { type Found, ownMember } from './entry.ts';
import type { InstallRequest } from './install.ts';

/** The name that configurations of the older bridge gave the server. */
const OLDER_NAME = 'reasonix-worker';

/** What is particular about this file, before what is always so with the client. */
export function situation(
  client: Client,
  file: ConfigFile,
  { name, roots, apply }: InstallRequest,
  { names, previous }: Found,
): string[] {
  const notes: string[] = [];
  if (file.text === undefined && !apply)
    notes.push(
      `${file.folderExists ? 'The file does not exist yet' : `Its folder does not exist, so ${client.title} may never have run here`}; --apply makes it.`,
    );
  if (ownMember(previous, client.variables) !== undefined)
    notes.push('The variables that the entry gives to the server stay; their values are not shown.');
  if (file.target !== file.path) notes.push(`The file is a link to ${file.target}, which is what is edited.`);
  const repository = repositoryAbove(dirname(file.target));
  if (repository !== undefined) notes.push(`The file lies in the Git repository ${repository}.`);
  if (client.tellsDirectory && roots.length > 0)
    notes.push('--root counts only where the client tells no directory; this one does.');
  if (name !== OLDER_NAME && names.includes(OLDER_NAME))
    notes.push(
      `An entry "${OLDER_NAME}" of the older bridge stands in the file too and offers the same tools. --name ${OLDER_NAME} --replace lets it start Remit instead; else remove it.`,
    );
  return notes;
}

/** A person's configuration may lie in one, of dotfiles say; then its change shows up there. */
function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : repositoryAbove(dirname(folder));
}
