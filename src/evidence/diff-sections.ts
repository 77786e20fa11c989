import { decodePath } from '../base/index.ts';

/** What one header of a Git diff stands for. */
export interface DiffSection {
  readonly path: string;
  /** Of binary content Git says no more than that it differs, which shows nothing. */
  readonly shows: 'deletion' | 'difference' | 'nothing';
}

/**
 * The sections of a Git diff with prefixes a/ and b/. Lines of content begin with a mark, so none can pass for a header.
 * A rename shows that the old path is gone; of the new one at most the lines that differ, so it does not count for it.
 * Combined diffs (`diff --cc`) and other prefixes are not read.
 */
export function diffSections(output: string): DiffSection[] {
  // Not by /^…/m: to that flag a line also begins after a carriage return, which content may hold.
  return `\n${output}`.split('\ndiff --').slice(1).flatMap(readSection);
}

function readSection(text: string): DiffSection[] {
  const header = (text.split('\n@@ ', 1)[0] ?? '').split('\n');
  const starting = (words: string) => header.find((line) => line.startsWith(words))?.slice(words.length);
  const renamedFrom = starting('rename from ');
  if (renamedFrom !== undefined) return [{ path: unquote(renamedFrom), shows: 'deletion' }];
  const path = samePath(header[0] ?? '');
  if (path === undefined || starting('copy to ') !== undefined) return [];
  if (starting('deleted file mode ') !== undefined) return [{ path, shows: 'deletion' }];
  return [{ path, shows: starting('Binary files ') === undefined ? 'difference' : 'nothing' }];
}

/** The path of `git a/P b/P`; undefined when the two sides differ. */
function samePath(line: string): string | undefined {
  const [, old, now] = /^git ("a\/.+") ("b\/.+")$/.exec(line) ?? [];
  if (old !== undefined && now !== undefined) return old.slice(3) === now.slice(3) ? unquote(now).slice(2) : undefined;
  // A name may hold " b/" itself, so the middle is found by length and not by looking for it.
  const names = line.slice('git '.length);
  const path = names.slice(2, 2 + (names.length - 5) / 2);
  return path !== '' && line === `git a/${path} b/${path}` ? path : undefined;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git's own quoting of a name (core.quotePath): in double quotes, with C's escapes and three octal digits for a byte. */
function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const parts = name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? [];
  return decodePath(
    Buffer.concat(
      parts.map((part) => {
        if (!part.startsWith('\\')) return Buffer.from(part, 'utf8');
        return Buffer.from([ESCAPES[part.slice(1)] ?? Number.parseInt(part.slice(1), 8)]);
      }),
    ),
  );
}
