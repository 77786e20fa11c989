import { truncateUtf8, visibleLine } from '../base/index.ts';

/** One thing that is wrong with a contract. `path` names the place, as in `verification[0].argv`; '' is the whole contract. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** What would be accepted instead. */
  readonly hint?: string;
}

/** A problem as it is found. A hint that costs a search is worked out only for what is shown. */
export interface Finding {
  readonly path: string;
  readonly message: string;
  readonly hint?: string | (() => string);
}

const MAX_PROBLEMS = 100;
const MAX_TEXT_BYTES = 1000;

export function problem(path: string, message: string, hint?: string): Problem {
  return { path, message, ...(hint === undefined ? {} : { hint }) };
}

/** Problems as they are shown: each text bounded and visible, and at most MAX_PROBLEMS with a count of the rest. */
export function boundedProblems(findings: readonly Finding[]): Problem[] {
  const shown = findings.slice(0, MAX_PROBLEMS).map(({ path, message, hint }) => {
    const text = typeof hint === 'function' ? hint() : hint;
    return problem(shownText(path), shownText(message), text && shownText(text));
  });
  const left = findings.length - shown.length;
  return left > 0 ? [...shown, problem('', `has ${left} more problems`, 'Correct these first.')] : shown;
}

function shownText(text: string): string {
  const short = truncateUtf8(visibleLine(text), MAX_TEXT_BYTES);
  return short === visibleLine(text) ? short : `${short}…`;
}
