import { parse, TomlError } from 'smol-toml';
import { RemitError } from '../../base/index.ts';
import type { Entry } from './client.ts';
import { type EntryPath, findEntry, isTable, ownMember, requireOnlyEntryChanged, sameEntry } from './entry.ts';

export function editToml(text: string, path: EntryPath, entry: Entry): string {
  const before = readToml(text);
  const { previous } = findEntry(before, path);
  if (sameEntry(previous, entry)) return text;
  const block = tableText(path, entry, /\r?\n/.exec(text)?.[0] ?? '\n');
  const after = previous === undefined ? append(text, block) : replaceTables(text, path, block);
  requireOnlyEntryChanged(before, readEdited(after, path), path, entry);
  return after;
}

/** `servers` and `name` are bare keys: the caller's table and check of names see to that. */
function tableText([servers, name]: EntryPath, entry: Entry, eol: string): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`);
  return [`[${servers}.${name}]`, ...lines, ''].join(eol);
}

type Value = Entry[string];

function valueText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isTable(value)) return scalarText(value as string | number | boolean);
  const members = Object.entries(value).map(([key, member]) => `${scalarText(key)} = ${valueText(member as Value)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** JSON is TOML for these, but for one letter that TOML wants escaped and JSON does not. */
function scalarText(value: string | number | boolean): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007F');
}

function append(text: string, block: string): string {
  const eol = block.slice(block.search(/\r?\n$/));
  const lineEnd = text === '' || text.endsWith('\n') ? '' : eol;
  const gap = text.trim() === '' || /\n\r?\n$/.test(text) ? '' : eol;
  return text + lineEnd + gap + block;
}

/** The entry's tables may stand apart; the new one takes the place of the first. */
function replaceTables(text: string, path: EntryPath, block: string): string {
  const [first, ...others] = regionsOf(text, path);
  if (first === undefined)
    throw new RemitError(
      'invalid_request',
      `"${path.join('.')}" is written there inside another table; change it by hand to a table of its own`,
    );
  const parts = [text.slice(0, first.start), block];
  let from = first.end;
  for (const { start, end } of others) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

interface Region {
  readonly start: number;
  readonly end: number;
}

/** From each header of the entry to the next header of something else, less the blank lines and comments before that. */
function regionsOf(text: string, path: EntryPath): Region[] {
  const regions: Region[] = [];
  let start: number | undefined;
  for (const { offset, line } of linesOf(text)) {
    if (!/^[ \t]*\[/.test(line)) continue;
    const isOurs = namesEntry(line, path);
    if (isOurs === (start !== undefined)) continue;
    // A line inside a list or a text of several lines only looks like a header: what stands before it is no whole file.
    if (!parses(text.slice(0, offset))) continue;
    if (isOurs) start = offset;
    else if (start !== undefined) {
      regions.push({ start, end: trimRegion(text, start, offset) });
      start = undefined;
    }
  }
  if (start !== undefined) regions.push({ start, end: trimRegion(text, start, text.length) });
  return regions;
}

function linesOf(text: string): { offset: number; line: string }[] {
  return [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].map((found) => ({ offset: found.index, line: found[0] }));
}

function trimRegion(text: string, start: number, end: number): number {
  const trailing = linesOf(text.slice(start, end)).reverse();
  const kept = trailing.find(({ line }) => !/^[ \t]*(#.*)?\r?\n?$/.test(line));
  return kept === undefined ? end : start + kept.offset + kept.line.length;
}

function namesEntry(line: string, [servers, name]: EntryPath): boolean {
  try {
    return ownMember(ownMember(parse(line), servers), name) !== undefined;
  } catch {
    return false;
  }
}

function parses(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: 'asNeeded' });
    return true;
  } catch {
    return false;
  }
}

/** The file as the client reads it. Throws `invalid_request` with line and column. */
export function readToml(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (cause) {
    if (cause instanceof RangeError) throw new RemitError('invalid_request', 'it is nested too deeply', { cause });
    if (!(cause instanceof TomlError)) throw cause;
    const [what = ''] = cause.message.replace('Invalid TOML document: ', '').split('\n');
    throw new RemitError('invalid_request', `line ${cause.line}, column ${cause.column}: ${what}`, { cause });
  }
}

function readEdited(text: string, path: EntryPath): Record<string, unknown> {
  try {
    return readToml(text);
  } catch (cause) {
    throw new RemitError(
      'invalid_request',
      `the servers are written there in a way that a table "${path.join('.')}" cannot be added to; add it by hand`,
      { cause },
    );
  }
}
