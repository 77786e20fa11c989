import type { Entry, Syntax } from './client.ts';
import { editJson, readJson } from './edit-json.ts';
import { editToml, readToml } from './edit-toml.ts';
import { type EntryPath, type Found, findEntry } from './entry.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** What a configuration file has of an entry. Throws `invalid_request` with the place where the text cannot be read. */
export function readEntry(text: string, syntax: Syntax, path: EntryPath): Found {
  const body = text.slice(markOf(text).length);
  return findEntry(syntax === 'toml' ? readToml(body) : readJson(body, syntax === 'commented json'), path);
}

/**
 * Puts one entry into the text of a configuration file and changes nothing else of it: an entry of the same name is replaced,
 * else one is added. Throws `invalid_request` when the text cannot be read, or where the entry cannot be put without touching
 * anything else; it says the place and what to do.
 */
export function setEntry(text: string, syntax: Syntax, path: EntryPath, entry: Entry): string {
  const mark = markOf(text);
  const body = text.slice(mark.length);
  return (
    mark + (syntax === 'toml' ? editToml(body, path, entry) : editJson(body, path, entry, syntax === 'commented json'))
  );
}

/** The entry alone, as it stands in a file that holds nothing else. */
export function entryText(syntax: Syntax, path: EntryPath, entry: Entry): string {
  return setEntry('', syntax, path, entry).trimEnd();
}

function markOf(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
}
