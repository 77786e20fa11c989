import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { RemitError, visibleLine } from '../base/index.ts';
import { settingsFileSchema } from './settings.ts';

const MAX_FILE_BYTES = 1024 * 1024;

export interface ConfigurationFile {
  /** Where the file is, or would be. */
  readonly path: string;
  /** The keys that it holds, as they stand in it; empty when there is no file. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether other users of the machine can read it, which matters where it holds a key. */
  readonly isReadByOthers: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings file: JSON at `$REMIT_CONFIG`, else `$XDG_CONFIG_HOME/remit/config.json`, else
 * `~/.config/remit/config.json`. Only a file that `$REMIT_CONFIG` names must exist. Throws `invalid_request` that names
 * the file, the key and its line.
 */
export function readConfigurationFile(environment: Environment, homeDirectory: string): ConfigurationFile {
  const { path, mustExist } = locate(environment, homeDirectory);
  const found = readText(path, mustExist);
  if (found === undefined) return { path, values: {}, isReadByOthers: false };
  const { text, mode } = found;
  const values = parseJson(path, text);
  const parsed = settingsFileSchema.safeParse(values);
  if (!parsed.success)
    throw invalidFile(path, parsed.error.issues.map((issue) => describeIssue(text, issue)).join('; '));
  return { path, values: values as Record<string, unknown>, isReadByOthers: (mode & 0o044) !== 0 };
}

function locate(environment: Environment, homeDirectory: string): { path: string; mustExist: boolean } {
  const named = environment['REMIT_CONFIG'];
  if (named) {
    if (isAbsolute(named)) return { path: named, mustExist: true };
    throw new RemitError('invalid_request', 'REMIT_CONFIG must be an absolute path; ~ is not expanded.');
  }
  const base = environment['XDG_CONFIG_HOME'];
  // A relative path in an XDG variable counts as not set: XDG Base Directory Specification.
  const directory = base && isAbsolute(base) ? base : join(homeDirectory, '.config');
  return { path: join(directory, 'remit', 'config.json'), mustExist: false };
}

function readText(path: string, mustExist: boolean): { text: string; mode: number } | undefined {
  try {
    const { size, ...stats } = statSync(path);
    if (!statSync(path).isFile()) throw invalidFile(path, 'is not a regular file');
    if (size > MAX_FILE_BYTES) throw invalidFile(path, `is larger than ${MAX_FILE_BYTES} bytes`);
    // Whoever can write this file chooses a program that runs as this user.
    if ((stats.mode & 0o002) !== 0) throw invalidFile(path, 'can be written by every user: run `chmod o-w` on it');
    return { text: readFileSync(path, 'utf8'), mode: stats.mode };
  } catch (error) {
    if (error instanceof RemitError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (!mustExist && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw invalidFile(path, `cannot be read (${code})${mustExist ? '; REMIT_CONFIG names it' : ''}`, error);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = (error as Error).message;
    const at = /at position (\d+)/.exec(message)?.[1];
    const line = at === undefined ? '' : `line ${lineAt(text, Number(at))}: `;
    // The parser quotes the text around the fault, which may hold a credential: only its place is repeated.
    throw invalidFile(path, `${line}is not JSON`);
  }
}

function describeIssue(text: string, issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => `${place(text, [...path, key])}"${visibleLine([...path, key].join('.'))}" is no setting`)
      .join('; ');
  }
  const key = path.length === 0 ? 'the whole' : `"${visibleLine(keyOf(issue.path))}"`;
  return `${place(text, path)}${key}: ${issue.message}`;
}

/** A key as one writes it: `workers.NAME.env[0]`. */
function keyOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
}

/** The line of a key, found by looking for each part of its path after the one before. */
function place(text: string, path: readonly string[]): string {
  let at = -1;
  for (const part of path) {
    const found = text.indexOf(JSON.stringify(part), at + 1);
    // A number is an element of a list: the list's line is near enough.
    if (found !== -1) at = found;
  }
  return at === -1 ? '' : `line ${lineAt(text, at)}: `;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function invalidFile(path: string, problem: string, cause?: unknown): RemitError {
  return new RemitError('invalid_request', `Settings file ${visibleLine(path)}: ${problem}.`, { cause });
}
