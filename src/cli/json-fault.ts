/**
 * Where a text stops being JSON, and what stands there. JSON.parse judges whether a text is JSON; its own words about a fault
 * leave the place out more often than not, and this says it for people.
 */

type Awaited = 'value' | 'value or ]' | 'name or }' | 'name' | ':' | 'comma or end' | 'end';

const TOKEN =
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** For example `line 3, column 5: a comma before "}"`; undefined when no fault is found. */
export function describeJsonFault(text: string): string | undefined {
  const fault = findFault(text);
  if (fault === undefined) return undefined;
  const lines = text.slice(0, fault.at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${fault.what}`;
}

function findFault(text: string): { at: number; what: string } | undefined {
  const open: string[] = [];
  let awaited: Awaited = 'value';
  let comma = -1;
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return { at, what: describeUnreadable(text, at) };
    const next = step(awaited, token, open);
    if (next === undefined) {
      const isTrailing = comma >= 0 && (token === '}' || token === ']');
      return isTrailing
        ? { at: comma, what: `a comma before "${token}"` }
        : { at, what: describeWrong(awaited, token) };
    }
    comma = token === ',' ? at : -1;
    awaited = next;
    at += token.length;
  }
  return awaited === 'end' ? undefined : { at: text.length, what: 'the text ends before the JSON does' };
}

/** What may stand after the token, or undefined when the token may not stand here. `open` holds the brackets that wait. */
function step(awaited: Awaited, token: string, open: string[]): Awaited | undefined {
  switch (awaited) {
    case 'value':
    case 'value or ]':
      if (token === ']') return awaited === 'value or ]' ? close(open) : undefined;
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'name or }' : 'value or ]';
      }
      return /^[},:]/.test(token) ? undefined : afterValue(open);
    case 'name or }':
    case 'name':
      if (token === '}') return awaited === 'name or }' ? close(open) : undefined;
      return token.startsWith('"') ? ':' : undefined;
    case ':':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      if (token === ',') return open.at(-1) === '{' ? 'name' : 'value';
      return token === (open.at(-1) === '{' ? '}' : ']') ? close(open) : undefined;
    case 'end':
      return undefined;
  }
}

function close(open: string[]): Awaited {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly string[]): Awaited {
  return open.length === 0 ? 'end' : 'comma or end';
}

const AWAITED: Readonly<Record<Awaited, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  'name or }': 'a name in double quotes or "}"',
  name: 'a name in double quotes',
  ':': '":"',
  'comma or end': 'a comma or the closing bracket',
  end: 'the end',
};

function describeWrong(awaited: Awaited, token: string): string {
  return `${shorten(token)} where ${AWAITED[awaited]} should stand`;
}

function describeUnreadable(text: string, at: number): string {
  if (text[at] === '"') return 'a text without an end on its line, or with a wrong escape';
  if (text[at] === "'") return 'a single quote; texts and names stand in double quotes';
  return `${shorten(/^[\w.+-]+|^[\s\S]/u.exec(text.slice(at, at + 40))?.[0] ?? '')} is no JSON`;
}

function shorten(token: string): string {
  const text = token.startsWith('"') ? token : `"${token}"`;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}
