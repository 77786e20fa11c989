import { truncateUtf8, visibleLine } from '../base/index.ts';

/** One thing that is wrong with a contract. `path` names the place, as in `verification[0].argv`; '' is the whole contract. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** What would be accepted instead. */
  readonly hint?: string;
}

const MAX_PROBLEMS = 100;
const MAX_TEXT_BYTES = 1000;

export function problem(path: string, message: string, hint?: string): Problem {
  return { path, message, ...(hint === undefined ? {} : { hint }) };
}

/** Problems as they are shown: each text bounded and visible, and at most MAX_PROBLEMS with a count of the rest. */
export function boundedProblems(problems: readonly Problem[]): Problem[] {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message, hint }) => problem(shownText(path), shownText(message), hint && shownText(hint)));
  const left = problems.length - shown.length;
  return left > 0 ? [...shown, problem('', `has ${left} more problems`, 'Correct these first.')] : shown;
}

function shownText(text: string): string {
  const short = truncateUtf8(visibleLine(text), MAX_TEXT_BYTES);
  return short === visibleLine(text) ? short : `${short}…`;
}
