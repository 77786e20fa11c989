/** Reads the imports of the project's source. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SOURCE = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src');

export interface Import {
  /** Relative to src/, with '/'. */
  readonly file: string;
  readonly specifier: string;
  /** Where a relative specifier leads, relative to src/; it begins with '../' when it leaves src/. */
  readonly target: string | undefined;
}

export function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
    .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
    .sort();
}

// Static imports and exports, type-only ones included, and dynamic imports. One in a comment counts too: harmless, and
// it keeps this readable.
const SPECIFIERS = [
  /\bfrom\s*['"]([^'"\n]+)['"]/g,
  /\bimport\s*['"]([^'"\n]+)['"]/g,
  /\bimport\s*\(\s*['"`]([^'"`\n]+)['"`]/g,
];

export function importsOf(file: string, text: string): Import[] {
  return SPECIFIERS.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, specifier = '']) => ({
    file,
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined,
  }));
}

export function allImports(): Import[] {
  return sourceFiles().flatMap((file) => importsOf(file, readFileSync(join(SOURCE, file), 'utf8')));
}

export function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Tests, and the fixtures that stand beside them. */
export function isTestFile(path: string): boolean {
  return /\.test\.ts$|(^|\/)(test-)?fixtures?(\.ts$|\/)|(^|\/)test-[^/]+\.ts$/.test(path);
}
