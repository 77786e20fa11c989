import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { RemitError, visibleLine, visibleText } from '../../base/index.ts';
import { changedLines } from './changed-lines.ts';
import type { Client, Entry, Place, Server, Variables } from './client.ts';
import { type ConfigFile, readConfigFile, replaceConfigFile } from './config-file.ts';
import { entryText, readEntry, setEntry } from './edit.ts';
import { type EntryPath, type Found, isTable, ownMember, sameEntry } from './entry.ts';
import { hideValues, withoutValues } from './hidden-values.ts';
import type { ClientName } from './names.ts';
import { situation } from './situation.ts';
import { CLIENTS } from './table.ts';

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
  /** The other entry that stood under the name; null where there is none. Here and below no value of a variable is shown. */
  readonly previous: unknown;
  /** The lines that change; empty where none does. */
  readonly diff: string;
  /** What registers the server by the client's own program, word by word; null where it has no such command. */
  readonly command: readonly string[] | null;
  readonly notes: readonly string[];
}

/** Plans the registration and, where the request says so, writes it. Throws `invalid_request` with what to do instead. */
export function installServer(request: InstallRequest, program: string, place: Place): Installation {
  const client = CLIENTS[request.client];
  const wanted = entryFor(client, request, program);
  const file = chooseFile(client, place);
  return register(request, client, wanted, file);
}

function register(request: InstallRequest, client: Client, wanted: Entry, file: ConfigFile): Installation {
  const { name, apply } = request;
  const path: EntryPath = [client.servers, name];
  const before = file.text ?? '';
  const found = namingFile(file, () => readEntry(before, client.syntax, path));
  const entry = withVariables(wanted, found.previous, client.variables);
  const change = changeOf(found, entry);
  const shown = withoutValues(entry, client.variables) as Entry;
  const text = entryText(client.syntax, path, shown);
  const previous = change === 'replace' ? withoutValues(found.previous, client.variables) : null;
  if (change === 'replace' && !request.replace) throw alreadyThere(request, file, shown, text, previous);
  const after = namingFile(file, () => setEntry(before, client.syntax, path, entry));
  const applied = apply && change !== 'none';
  // Where a value could not be hidden in the lines of the file, both entries are shown as this program writes them.
  const shownChange = () =>
    hideValues(changedLines(before, after), found.previous, client.variables) ??
    changedLines(
      setEntry(before, client.syntax, path, previous as Entry),
      setEntry(before, client.syntax, path, shown),
    );
  if (applied) replaceConfigFile(file, after);
  return {
    client: request.client,
    name,
    file: file.path,
    change,
    applied,
    entry: shown,
    text,
    previous,
    diff: change === 'none' ? '' : shownChange(),
    command: client.ownCommand?.(name, wanted) ?? null,
    notes: [...situation(client, file, request, found), ...client.notes(name)],
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
function entryFor(client: Client, request: Pick<InstallRequest, 'roots' | 'trust'>, program: string): Entry {
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

/** Says which file a fault is in, and that nothing became of it. */
function namingFile<Result>({ path }: ConfigFile, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof RemitError)) throw cause;
    const message = `${visibleLine(path)}: ${visibleLine(cause.message)}; nothing was written`;
    throw new RemitError(cause.code, message, { cause });
  }
}

/** The variables that a person gave to the server stay when the rest of the entry is replaced. */
function withVariables(entry: Entry, previous: unknown, member: string): Entry {
  const variables = ownMember(previous, member);
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const canStay = isTable(variables) && Object.values(variables).every(isScalar);
  return canStay ? { ...entry, [member]: variables as Variables } : entry;
}

function changeOf({ previous }: Found, entry: Entry): Installation['change'] {
  if (previous === undefined) return 'add';
  return sameEntry(previous, entry) ? 'none' : 'replace';
}

function alreadyThere(
  { name, client }: InstallRequest,
  file: ConfigFile,
  entry: Entry,
  text: string,
  previous: unknown,
): RemitError {
  return new RemitError(
    'invalid_request',
    [
      `${visibleLine(file.path)} already has another entry "${name}"; nothing was written.`,
      '',
      `There:\n${visibleText(JSON.stringify(previous, null, 2))}`,
      '',
      `Wanted:\n${visibleText(text)}`,
      '',
      'Give --replace to write the wanted one in its place, or --name for another name.',
    ].join('\n'),
    { details: { client, name, file: file.path, entry, previous } },
  );
}
