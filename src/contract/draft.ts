/**
 * What can be read of a contract that may be wrong in places: of each list the entries that are well formed, with where
 * they stand. So one wrong entry does not hide what is wrong with another.
 */
import type { z } from 'zod';
import { normalizePath, normalizePattern, type PathResult } from './contract-path.ts';
import {
  allowedCommandSchema,
  criterionSchema,
  fileAssertionSchema,
  patternSchema,
  verificationSchema,
  verifiedContextSchema,
} from './contract-schema.ts';
import { type Problem, problem } from './problem.ts';

export interface Entry<T> {
  /** Where it stands, as in `verification[0]`. */
  readonly at: string;
  readonly value: T;
}

export type Draft = ReturnType<typeof readDraft>['draft'];

/**
 * Reads the lists of a contract, with every path made relative to the repository, and tells what is wrong with the paths.
 * `prefix` is the caller's folder inside the repository.
 */
export function readDraft(input: unknown, prefix: string) {
  const problems: Problem[] = [];

  function entries<T extends z.ZodType>(field: string, schema: T): Entry<z.output<T>>[] {
    return listOf(input, field).flatMap((item, index) => {
      const parsed = schema.safeParse(item);
      return parsed.success ? [{ at: `${field}[${index}]`, value: parsed.data }] : [];
    });
  }

  function take(at: string, result: PathResult): string | undefined {
    if (result.ok) return result.path;
    problems.push(problem(at, result.message, result.hint));
    return undefined;
  }

  function patterns(field: string): Entry<string>[] {
    return entries(field, patternSchema).flatMap(({ at, value }) => {
      const path = take(at, normalizePattern(value, prefix));
      return path === undefined ? [] : [{ at, value: path }];
    });
  }

  function withPath<T extends { path: string }>({ at, value }: Entry<T>): Entry<T>[] {
    const path = take(`${at}.path`, normalizePath(value.path, prefix));
    return path === undefined ? [] : [{ at, value: { ...value, path } }];
  }

  function withCwd<T extends { cwd?: string | undefined }>({ at, value }: Entry<T>): Entry<T & { cwd: string }>[] {
    const cwd = take(`${at}.cwd`, normalizePath(value.cwd ?? '.', prefix));
    return cwd === undefined ? [] : [{ at, value: { ...value, cwd } }];
  }

  const draft = {
    verified_context: entries('verified_context', verifiedContextSchema).flatMap(withPath),
    write_scope: patterns('write_scope'),
    forbidden_scope: patterns('forbidden_scope'),
    acceptance_criteria: entries('acceptance_criteria', criterionSchema),
    verification: entries('verification', verificationSchema).flatMap(withCwd),
    allowed_commands: entries('allowed_commands', allowedCommandSchema).flatMap(withCwd),
    file_assertions: entries('file_assertions', fileAssertionSchema).flatMap(withPath),
  };
  return { draft, problems };
}

/** A list of an untrusted object, or none. */
export function listOf(input: unknown, field: string): readonly unknown[] {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[field] : undefined;
  return Array.isArray(value) ? value : [];
}
