import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RemitError, redact, redactDeep, visibleLine, visibleText } from '../../base/index.ts';
import { changedLines } from './changed-lines.ts';
import type { Client, Entry, Place, Server } from './client.ts';
import { type ConfigFile, readConfigFile, replaceConfigFile } from './config-file.ts';
import { entryText, setEntry } from './edit.ts';
import { type Edited, type EntryPath, sameEntry } from './entry.ts';
import type { ClientName } from './names.ts';
import { CLIENTS } from './table.ts';

/** The name that configurations of the older bridge gave the server. */
const OLDER_NAME = 'reasonix-worker';

export interface InstallRequest {
  readonly client: ClientName;
  /** The server's name, checked by `requireServerName`. */
  readonly name: string;
  /** Directories for the server to be started with; a relative one counts from the current folder. */
  readonly roots: readonly string[];
  /** Lets the client call the tools without asking. */
  readonly trust: boolean;
  /** Replaces another entry of the same name instead of refusing. */
  readonly replace: boolean;
  /** Writes the file; else nothing is changed. */
  readonly apply: boolean;
}

export interface Installation {
  readonly client: ClientName;
  readonly name: string;
  readonly file: string;
  readonly change: 'none' | 'add' | 'replace';
  readonly applied: boolean;
  readonly entry: Entry;
  /** The entry alone, as it stands in a file that holds nothing else. */
  readonly text: string;
  /** The other entry that stood under the name, without what looks like a credential; null where there is none. */
  readonly previous: unknown;
  /** The lines that change, without what looks like a credential; empty where none does. */
  readonly diff: string;
  /** What registers the server by the client's own program, word by word; null where it has no such command. */
  readonly command: readonly string[] | null;
  readonly notes: readonly string[];
}

/** Plans the registration and, where the request says so, writes it. Throws `invalid_request` with what to do instead. */
export function installServer(request: InstallRequest, program: string, place: Place): Installation {
  const { name, apply } = request;
  const client = CLIENTS[request.client];
  const entry = entryFor(client, request, program);
  const path: EntryPath = [client.servers, name];
  const file = chooseFile(client, place);
  const edited = editFile(file, client, path, entry);
  const change = changeOf(edited, entry);
  if (change === 'replace' && !request.replace) throw alreadyThere(request, file, client, path, entry, edited.previous);
  const applied = apply && change !== 'none';
  if (applied) replaceConfigFile(file, edited.text);
  return {
    client: request.client,
    name,
    file: file.path,
    change,
    applied,
    entry,
    text: entryText(client.syntax, path, entry),
    previous: change === 'replace' ? shownEntry(edited.previous) : null,
    diff: change === 'none' ? '' : redact(changedLines(file.text ?? '', edited.text)),
    command: client.ownCommand?.(name, entry) ?? null,
    notes: [...situation(client, file, request, edited), ...client.notes(name)],
  };
}

/**
 * A name that every client takes: the longest tool name, `mcp__NAME__reasonix_delegate`, must stay within the 64 characters that
 * models' interfaces allow. Throws `invalid_request`.
 */
export function requireServerName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name)) return name;
  throw new RemitError(
    'invalid_request',
    `"${visibleLine(name)}" is no name that every client takes: at most 40 letters, digits, - and _, a letter first`,
  );
}

/** The entry that the client needs to start the server. */
export function entryFor(client: Client, request: Pick<InstallRequest, 'roots' | 'trust'>, program: string): Entry {
  if (!client.tellsDirectory && request.roots.length === 0)
    throw new RemitError(
      'invalid_request',
      `${client.title} does not tell the server which directory it works in: name the repositories with --root DIRECTORY`,
    );
  if (request.trust && client.trusted === undefined)
    throw new RemitError('invalid_request', `${client.title} has no setting that --trust would write`);
  const roots = request.roots.flatMap((root) => ['--root', requireFolder(root)]);
  const server: Server = { command: program, args: ['serve', ...roots] };
  return { ...client.entry(server), ...(request.trust && client.trusted) };
}

function requireFolder(root: string): string {
  const folder = resolve(root);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new RemitError('invalid_request', `--root ${visibleLine(folder)} is no folder`);
}

function chooseFile(client: Client, place: Place): ConfigFile {
  const [first, ...others] = client.files(place).map(readConfigFile);
  const found = [first, ...others].find((file) => file?.text !== undefined) ?? first;
  if (found === undefined) throw new RemitError('internal_error', `${client.title} has no configuration file`);
  return found;
}

function editFile(file: ConfigFile, client: Client, path: EntryPath, entry: Entry): Edited {
  try {
    return setEntry(file.text ?? '', client.syntax, path, entry);
  } catch (cause) {
    if (!(cause instanceof RemitError)) throw cause;
    const message = `${visibleLine(file.path)}: ${visibleLine(cause.message)}; nothing was written`;
    throw new RemitError(cause.code, message, { cause });
  }
}

function changeOf({ previous }: Edited, entry: Entry): Installation['change'] {
  if (previous === undefined) return 'add';
  return sameEntry(previous, entry) ? 'none' : 'replace';
}

function alreadyThere(
  { name, client }: InstallRequest,
  file: ConfigFile,
  { syntax }: Client,
  path: EntryPath,
  entry: Entry,
  previous: unknown,
): RemitError {
  const shown = shownEntry(previous);
  return new RemitError(
    'invalid_request',
    [
      `${visibleLine(file.path)} already has another entry "${name}"; nothing was written.`,
      '',
      `There:\n${visibleText(JSON.stringify(shown, null, 2))}`,
      '',
      `Wanted:\n${visibleText(entryText(syntax, path, entry))}`,
      '',
      'Give --replace to write the wanted one in its place, or --name for another name.',
    ].join('\n'),
    { details: { client, name, file: file.path, entry, previous: shown } },
  );
}

/** As JSON, which has neither the dates nor the large numbers of TOML, and without what looks like a credential. */
function shownEntry(previous: unknown): unknown {
  const text = JSON.stringify(previous, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return redactDeep(JSON.parse(text));
}

/** What is particular about this file, before what is always so with the client. */
function situation(
  client: Client,
  file: ConfigFile,
  { name, roots, apply }: InstallRequest,
  { names }: Edited,
): string[] {
  const notes: string[] = [];
  if (file.text === undefined && !apply)
    notes.push(
      `${file.folderExists ? 'The file does not exist yet' : `Its folder does not exist, so ${client.title} may never have run here`}; --apply makes it.`,
    );
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
