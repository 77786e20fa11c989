import { type Problem, problem } from './problem.ts';

/** Arguments may be blank, a file's expected content may be anything that is text, and an empty cwd is ".". */
const MAY_BE_BLANK = /\.(?:argv\[\d+\]|expected_utf8|cwd)$/;
const MAY_HAVE_NUL = /\.expected_utf8$/;
const MAX_DEPTH = 4;

/** How the sentences begin that `remit contract new` leaves to be written. */
export const PLACEHOLDER = 'Replace this: what ';

/** Strings that a schema cannot refuse: blank, not valid Unicode (no JSON text of it exists), or cut by a program at a NUL. */
export function textProblems(value: unknown, at = '', depth = 0): Problem[] {
  if (typeof value === 'string') return stringProblems(value, at);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const place = Array.isArray(value) ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`;
    return textProblems(child, place, depth + 1);
  });
}

function stringProblems(text: string, at: string): Problem[] {
  const problems: Problem[] = [];
  if (!text.isWellFormed()) problems.push(problem(at, 'is not valid Unicode', 'Remove the lone surrogate.'));
  if (text.includes('\0') && !MAY_HAVE_NUL.test(at)) problems.push(problem(at, 'has a NUL character', 'Remove it.'));
  // The schema already refuses the empty text.
  if (text !== '' && text.trim() === '' && !MAY_BE_BLANK.test(at))
    problems.push(problem(at, 'is blank', 'Say what you mean, or leave the entry out.'));
  if (text.startsWith(PLACEHOLDER))
    problems.push(problem(at, 'is still the text of the template', 'Say it for this task.'));
  return problems;
}
