import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_FILE_BYTES = 1024 * 1024;

/** Lock files by the package manager that wrote them. */
const MANAGERS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
] as const;

/** Commands that this folder's own files offer as its checks, the likeliest first. Only reads; runs nothing. */
export function projectCommands(directory: string): string[][] {
  return [...packageScripts(directory), ...makeTargets(directory), ...languageTools(directory)];
}

/** The names of the folders in a folder, hidden ones left out. */
export function projectFolders(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name);
}

/** Whether a file of this ending stands directly in a folder. */
export function hasFileOf(directory: string, ending: string): boolean {
  return readdirSync(directory, { withFileTypes: true }).some((entry) => entry.isFile() && entry.name.endsWith(ending));
}

function packageScripts(directory: string): string[][] {
  const scripts = scriptsOf(readText(join(directory, 'package.json')));
  const manager = MANAGERS.find(([lock]) => exists(join(directory, lock)))?.[1] ?? 'npm';
  // What `npm init` writes into every new manifest is not a test.
  const hasTest = scripts['test'] !== undefined && !scripts['test'].includes('no test specified');
  const others = ['check', 'lint', 'build'].filter((name) => scripts[name] !== undefined);
  return [
    ...(hasTest ? [[manager, ...(manager === 'bun' ? ['run'] : []), 'test']] : []),
    ...others.map((name) => [manager, 'run', name]),
  ];
}

function scriptsOf(manifest: string): Record<string, string> {
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: unknown };
    const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return Object.fromEntries(entries.filter(([, line]) => typeof line === 'string'));
  } catch {
    return {};
  }
}

function makeTargets(directory: string): string[][] {
  const makefile = readText(join(directory, 'Makefile'));
  return ['test', 'check']
    .filter((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(makefile))
    .map((name) => ['make', name]);
}

function languageTools(directory: string): string[][] {
  const has = (name: string) => exists(join(directory, name));
  return [
    ...(has('go.mod') ? [['go', 'test', './...']] : []),
    ...(has('Cargo.toml') ? [['cargo', 'test']] : []),
    ...(has('pyproject.toml') || has('pytest.ini') ? [['pytest', '-q']] : []),
  ];
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readText(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() && facts.size <= MAX_FILE_BYTES ? readFileSync(path, 'utf8') : '';
}
