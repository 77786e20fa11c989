/** What is wrong with a call, in the words of contract problems: a place, a message, and what would be accepted. */
import type { z } from 'zod';
import { truncateUtf8, visibleLine } from '../../base/index.ts';
import type { Problem } from '../../contract/index.ts';

const MAX_PROBLEMS = 100;
const MAX_PLACE_BYTES = 200;
const MAX_SENTENCES = 5;

/** Unknown fields are named one by one; the schema tells which there are. Never repeats a value that was sent. */
export function requestProblems(error: z.ZodError, schema: z.ZodObject): Problem[] {
  const known = Object.keys(schema.shape).join(', ');
  const problems = error.issues.flatMap((issue): Problem[] => {
    const place = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path: shown(place), message: messageOf(issue) }];
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => ({ path: shown(key), message: 'is not a field of this tool', hint: `Its fields are: ${known}.` }));
  });
  return problems.slice(0, MAX_PROBLEMS);
}

export function countOf(problems: readonly Problem[]): string {
  return problems.length === 1 ? '1 problem' : `${problems.length} problems`;
}

/** The first problems as sentences; the whole list is in the details. */
export function sentencesOf(problems: readonly Problem[], whole: string): string {
  const sentences = problems
    .slice(0, MAX_SENTENCES)
    .map(
      ({ path, message, hint }) => `${path === '' ? whole : path}: ${message}.${hint === undefined ? '' : ` ${hint}`}`,
    );
  return [...sentences, ...(problems.length > MAX_SENTENCES ? ['More in details.problems.'] : [])].join(' ');
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'is missing';
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

function shown(place: string): string {
  return truncateUtf8(visibleLine(place), MAX_PLACE_BYTES);
}
