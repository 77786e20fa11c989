/**
 * The ignore rules of a tree as one exclude file. Git would read each `.gitignore` from the worktree, where a worker may
 * have written it to hide files; this text is made from the base's blobs before the worker starts.
 * Rules: gitignore(5). Of several matching patterns the last one counts, and a deeper file counts more.
 */

export interface IgnoreFile {
  /** Folder of the `.gitignore`, '' for the root, as bytes in Latin-1. */
  readonly directory: string;
  /** Its bytes in Latin-1. */
  readonly text: string;
}

/** Joins exclude texts that are relative to the root, weakest first, and the tree's own files; all strings are bytes in Latin-1. */
export function joinIgnoreRules(weakerTexts: readonly string[], files: readonly IgnoreFile[]): string {
  const byDepth = files
    // A name with a newline cannot be written in an exclude file; without its rules more is reported, never less.
    .filter(({ directory }) => !directory.includes('\n'))
    .toSorted((a, b) => depth(a.directory) - depth(b.directory));
  const texts = [...weakerTexts, ...byDepth.map(({ directory, text }) => rebaseRules(directory, text))];
  return texts.map((text) => `${withoutMark(text)}\n`).join('');
}

function depth(directory: string): number {
  return directory === '' ? 0 : directory.split('/').length;
}

function withoutMark(text: string): string {
  return text.startsWith('\u00ef\u00bb\u00bf') ? text.slice(3) : text;
}

function rebaseRules(directory: string, text: string): string {
  if (directory === '') return text;
  const prefix = `/${directory.replace(/[\\*?[]/g, '\\$&')}/`;
  return withoutMark(text)
    .split('\n')
    .map((line) => rebaseRule(prefix, line))
    .join('\n');
}

function rebaseRule(prefix: string, line: string): string {
  const rule = withoutTrailingSpaces(line.replace(/\r$/, ''));
  if (rule === '' || rule.startsWith('#')) return '';
  const isNegated = rule.startsWith('!');
  const pattern = isNegated ? rule.slice(1) : rule;
  if (pattern === '' || pattern === '/') return '';
  // A pattern without a slash, other than at its end, matches at any depth.
  const isAnchored = pattern.slice(0, -1).includes('/');
  const rebased = isAnchored ? `${prefix}${pattern.replace(/^\//, '')}` : `${prefix}**/${pattern}`;
  return `${isNegated ? '!' : ''}${rebased}`;
}

/** Spaces at the end do not count unless a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (backslashes < end && line[end - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}
