import { type DocumentNode, evaluate, type MemberNode, type ObjectNode, parse } from '@humanwhocodes/momoa';
import { RemitError } from '../../base/index.ts';
import type { Entry } from './client.ts';
import { type EntryPath, findEntry, isTable, requireOnlyEntryChanged, sameEntry } from './entry.ts';

/** The file as the client reads it; an empty one holds nothing yet. */
export function readJson(text: string, comments: boolean): Record<string, unknown> {
  const value = text.trim() === '' ? {} : evaluate(parseJson(text, comments));
  if (isTable(value)) return value;
  throw new RemitError('invalid_request', 'it holds no JSON object');
}

export function editJson(text: string, path: EntryPath, entry: Entry, comments: boolean): string {
  const before = readJson(text, comments);
  const [servers, name] = path;
  if (text.trim() === '') return `${JSON.stringify({ [servers]: { [name]: entry } }, null, 2)}\n`;
  if (sameEntry(findEntry(before, path).previous, entry)) return text;
  const after = putEntry(text, parseJson(text, comments), path, entry);
  requireOnlyEntryChanged(before, readJson(after, comments), path, entry);
  return after;
}

function putEntry(text: string, document: DocumentNode, [servers, name]: EntryPath, entry: Entry): string {
  const root = document.body as ObjectNode;
  const style = styleOf(text, root);
  const holder = memberOf(root, servers);
  if (holder === undefined) return insertMember(text, document, root, servers, { [name]: entry }, style);
  if (holder.value.type !== 'Object')
    throw new RemitError('invalid_request', `${placeOf(holder)}: "${servers}" is no object`);
  const member = memberOf(holder.value, name);
  if (member === undefined) return insertMember(text, document, holder.value, name, entry, style);
  const [start, end] = rangeOf(member.value);
  return text.slice(0, start) + valueText(entry, indentAt(text, rangeOf(member)[0]), style) + text.slice(end);
}

/** Of a name that stands twice clients take one or the other, so an edit of either could count for nothing. */
function memberOf(object: ObjectNode, name: string): MemberNode | undefined {
  const found = object.members.filter((member) => nameOf(member) === name);
  const [first, second] = found;
  if (second !== undefined)
    throw new RemitError('invalid_request', `${placeOf(second)}: "${name}" stands there a second time; remove one`);
  return first;
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

/** Adds a member after the last one and after the comments that follow it; everything that is there stays as it is. */
function insertMember(
  text: string,
  document: DocumentNode,
  object: ObjectNode,
  name: string,
  value: unknown,
  style: Style,
): string {
  const [start, end] = rangeOf(object);
  const closing = end - 1;
  const last = object.members.at(-1);
  const from = last === undefined ? start + 1 : rangeOf(last)[1];
  const between = (document.tokens ?? []).filter(({ range }) => range && range[0] >= from && range[1] <= closing);
  const at = between.at(-1)?.range?.[1] ?? from;
  const comma = last !== undefined && !between.some(({ type }) => type === 'Comma') ? ',' : '';
  const indent = memberIndent(text, object, style);
  const member = `${style.eol}${indent}${JSON.stringify(name)}: ${valueText(value, indent, style)}`;
  const tail = text.slice(at, closing).includes('\n') ? '' : style.eol + indentAt(text, start);
  return text.slice(0, from) + comma + text.slice(from, at) + member + tail + text.slice(at);
}

function valueText(value: unknown, indent: string, { unit, eol }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

/** How the file is written: by its first member that begins a line. */
function styleOf(text: string, root: ObjectNode): Style {
  const [first] = root.members;
  const indent = first === undefined ? undefined : ownLineIndent(text, rangeOf(first)[0]);
  return { unit: indent || '  ', eol: /\r?\n/.exec(text)?.[0] ?? '\n' };
}

function memberIndent(text: string, object: ObjectNode, { unit }: Style): string {
  const [first] = object.members;
  const own = first === undefined ? undefined : ownLineIndent(text, rangeOf(first)[0]);
  return own ?? indentAt(text, rangeOf(object)[0]) + unit;
}

/** The white space before a place when nothing else stands before it in its line. */
function ownLineIndent(text: string, at: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(text.slice(0, at))?.[1];
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}

/** Throws `invalid_request` with line and column. */
function parseJson(text: string, comments: boolean): DocumentNode {
  try {
    const mode = comments ? 'jsonc' : 'json';
    return parse(text, { mode, ranges: true, tokens: true, allowTrailingCommas: comments });
  } catch (cause) {
    if (cause instanceof RangeError) throw new RemitError('invalid_request', 'it is nested too deeply', { cause });
    const { line, column, message } = cause as Error & { line?: number; column?: number };
    if (line === undefined) throw cause;
    const what = message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '');
    throw new RemitError('invalid_request', `line ${line}, column ${column}: ${what}`, { cause });
  }
}

function rangeOf({ range }: { range?: readonly [number, number] | number[] }): readonly [number, number] {
  const [start = 0, end = 0] = range ?? [];
  return [start, end];
}

function nameOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}

function placeOf({ loc }: MemberNode): string {
  return `line ${loc.start.line}, column ${loc.start.column}`;
}
