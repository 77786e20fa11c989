import type { z } from 'zod';
import { type Problem, problem } from './problem.ts';

/** The problems of shape: type, limit, missing and unknown fields, each with its place. */
export function schemaProblems(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = placeOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [problem(path, shapeMessage(issue.message), hintFor(path, issue))];
    return issue.keys.map((key) =>
      problem(placeOf([...issue.path, key]), 'is not a field of the contract', 'Remove it, or correct its spelling.'),
    );
  });
}

/** `['verification', 0, 'argv']` as `verification[0].argv`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '');
}

function shapeMessage(message: string): string {
  if (message.endsWith('received undefined')) return 'is missing';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function hintFor(path: string, issue: z.core.$ZodIssue): string | undefined {
  if (path.endsWith('.argv')) return 'Write the program and its arguments as a list, for example ["npm","test"].';
  if (path.endsWith('.evidence')) return 'Write "automated" or "review".';
  if (path === 'schema_version') return 'Write the number 1.';
  if (issue.code === 'invalid_format')
    return 'Begin with a letter; then letters, digits, ".", "_" and "-", at most 64.';
  if (issue.code === 'invalid_type' && path === '') return 'Write a JSON object; `remit contract new` prints one.';
  return undefined;
}
