import type { z } from 'zod';
import { contractJsonSchema } from './contract-schema.ts';
import { nearest } from './nearest.ts';
import { type Finding, problem } from './problem.ts';

/** The problems of shape: type, limit, missing and unknown fields, each with its place. `input` is what was parsed. */
export function schemaProblems(error: z.ZodError, input: unknown): Finding[] {
  return error.issues.flatMap((issue): Finding[] => {
    const path = placeOf(issue.path);
    if (issue.code !== 'unrecognized_keys')
      return [problem(path, shapeMessage(issue, valueAt(input, issue.path)), hintFor(path, issue))];
    return issue.keys.map((key) => ({
      path: placeOf([...issue.path, key]),
      message: 'is not a field of the contract',
      hint: () => unknownFieldHint(issue.path, key),
    }));
  });
}

/** `['verification', 0, 'argv']` as `verification[0].argv`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '');
}

/** zod names the place of each issue in the very input, so the way there exists. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}

function shapeMessage(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}, not ${typeNameOf(value)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((allowed) => JSON.stringify(allowed)).join(' or ')}`;
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return 'is no valid id';
    default:
      return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  number: 'a number',
  int: 'a whole number',
};

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction';
  return TYPE_NAMES[typeof value] ?? `a ${typeof value}`;
}

function tooSmall(origin: string, minimum: number): string {
  if (origin === 'array') return `needs at least ${counted(minimum, 'entry', 'entries')}`;
  if (origin !== 'string') return `must be at least ${minimum}`;
  return minimum === 1 ? 'is empty' : `needs at least ${counted(minimum, 'character', 'characters')}`;
}

function tooBig(origin: string, maximum: number): string {
  if (origin === 'array') return `has more than ${counted(maximum, 'entry', 'entries')}`;
  if (origin === 'string') return `is longer than ${counted(maximum, 'character', 'characters')}`;
  return `must be at most ${maximum}`;
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
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

/** Fields of the call that delegates: often written a level too deep. */
const BESIDE_THE_CONTRACT: ReadonlySet<string> = new Set([
  'task_id',
  'repository',
  'base_ref',
  'worker_lane',
  'reasoning_effort',
  'execution_timeout_seconds',
  'wait_mode',
  'wait_timeout_seconds',
  'path_base',
]);

function unknownFieldHint(path: readonly PropertyKey[], key: string): string {
  if (path.length === 0 && BESIDE_THE_CONTRACT.has(key))
    return 'It is an argument beside the contract, in the call of reasonix_delegate.';
  const known = knownFields(path);
  const meant = nearest(key, known);
  return meant === undefined ? `The fields here are: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

function knownFields(path: readonly PropertyKey[]): string[] {
  const shape = path.reduce<Shape | undefined>(
    (at, key) => (typeof key === 'number' ? at?.items : at?.properties?.[String(key)]),
    contractJsonSchema() as Shape,
  );
  return Object.keys(shape?.properties ?? {});
}
