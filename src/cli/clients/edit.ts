import type { Entry, Syntax } from './client.ts';
import { editJson } from './edit-json.ts';
import { editToml } from './edit-toml.ts';
import type { Edited, EntryPath } from './entry.ts';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Puts one entry into the text of a configuration file and changes nothing else of it: an entry of the same name is replaced,
 * else one is added. Throws `invalid_request` when the text cannot be read, or where the entry cannot be put without touching
 * anything else; it says the place and what to do.
 */
export function setEntry(text: string, syntax: Syntax, path: EntryPath, entry: Entry): Edited {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const edited =
    syntax === 'toml' ? editToml(body, path, entry) : editJson(body, path, entry, syntax === 'commented json');
  return { ...edited, text: mark + edited.text };
}

/** The entry alone, as it stands in a file that holds nothing else. */
export function entryText(syntax: Syntax, path: EntryPath, entry: Entry): string {
  return setEntry('', syntax, path, entry).text.trimEnd();
}
