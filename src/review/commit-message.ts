import { RemitError } from '../base/index.ts';

/** Git's own advice for a subject, and for the lines of a body. */
const LINE_LENGTH = 72;

/** Git reads no trailer behind this line (`cut_line` of its wt-status.c), so the commit's evidence would not be found. */
const SCISSORS = /^\S+ -{24} >8 -{24}[ \t]*\r?$/m;

/** The reviewer's own words as they are, else task id and objective. Throws `invalid_request` for what cannot be committed. */
export function commitMessage(taskId: string, objective: string, given: string | undefined): string {
  if (given === undefined) return defaultMessage(taskId, objective);
  if (given.includes('\0') || !given.isWellFormed())
    throw new RemitError('invalid_request', 'commit_message holds a NUL or half a character, which Git cannot store.');
  if (given.trim() === '')
    throw new RemitError('invalid_request', 'commit_message is blank: leave it out for the default, or give one.');
  if (SCISSORS.test(given))
    throw new RemitError(
      'invalid_request',
      'commit_message holds a scissors line ("# --- >8 ---"), behind which Git finds no trailers: leave that line out.',
    );
  return given;
}

/** A long objective continues in the body, in full. */
function defaultMessage(taskId: string, objective: string): string {
  const lines = objective.split('\n').filter((line) => !SCISSORS.test(line));
  const words = `${taskId}: ${lines.join(' ').trim().replace(/\s+/g, ' ')}`;
  if (words.length <= LINE_LENGTH) return words;
  const cut = words.lastIndexOf(' ', LINE_LENGTH - 1);
  const subject = words.slice(0, cut > taskId.length + 1 ? cut : LINE_LENGTH - 1);
  return `${subject}…\n\n${lines.map(broken).join('\n').trim()}`;
}

/** A long line between its words; a word that is longer stays whole. */
function broken(line: string): string {
  if (line.length <= LINE_LENGTH) return line;
  const lines: string[] = [];
  let last = '';
  for (const word of line.split(' ')) {
    if (last !== '' && last.length + 1 + word.length > LINE_LENGTH) {
      lines.push(last);
      last = word;
    } else last = last === '' ? word : `${last} ${word}`;
  }
  return [...lines, last].join('\n');
}
