import type { z } from 'zod';
import { visibleLine } from '../../base/index.ts';
import { nearest } from '../../contract/index.ts';

/** More problems at once than a model would mend in one go. */
const MOST_PROBLEMS = 8;

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** One line for each wrong argument: its name, what is wrong and what it should be. */
export function describeProblems(tool: string, issues: readonly z.core.$ZodIssue[], schema: object): string {
  const lines = issues.flatMap((issue) => describeIssue(issue, schema));
  const more = lines.length > MOST_PROBLEMS ? [`- and ${lines.length - MOST_PROBLEMS} more`] : [];
  return [`${tool} was not run: its arguments are wrong.`, ...lines.slice(0, MOST_PROBLEMS), ...more].join('\n');
}

function describeIssue(issue: z.core.$ZodIssue, schema: Schema): string[] {
  const field = fieldAt(schema, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(
      (key) => `- ${nameOf([...issue.path, key])}: there is no such argument. ${alternatives(key, field)}`,
    );
  }
  const name = issue.path.length === 0 ? 'the arguments' : nameOf(issue.path);
  const problem = isMissing(issue) ? 'is missing' : lowerFirst(issue.message);
  const meaning = field?.description === undefined ? '' : ` It is: ${field.description}`;
  return [`- ${name}: ${problem}.${issue.path.length === 0 ? ` ${alternatives('', schema)}` : meaning}`];
}

function alternatives(key: string, field: Schema | undefined): string {
  const known = Object.keys(field?.properties ?? {});
  const meant = nearest(key, known);
  return meant === undefined ? `Arguments: ${known.join(', ')}.` : `Did you mean ${meant}?`;
}

function fieldAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let field: Schema | undefined = schema;
  for (const step of path) field = typeof step === 'number' ? field?.items : field?.properties?.[String(step)];
  return field;
}

function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return visibleLine(name.replace(/^\./, '').slice(0, 100));
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
