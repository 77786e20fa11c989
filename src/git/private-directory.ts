import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { readIfThere } from './bounded-file.ts';
import { type Configuration, lastValue } from './configuration.ts';
import type { Git } from './open-git.ts';
import { checkoutPlace, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/**
 * A Git directory that only the host writes: its own configuration, objects borrowed from the user's repository, new
 * objects kept apart. Calls that look at a worker's files use it, so that no configuration, attribute file, index, HEAD
 * or pointer that a worker could have written is ever read, and no filter driver can even be defined.
 */
export interface PrivateDirectoryOptions {
  readonly path: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Object directories to borrow from, absolute. */
  readonly borrow: readonly string[];
  /** Commit for the detached HEAD. */
  readonly head: string;
  readonly carried: CarriedSettings;
}

/** What of the user's configuration decides how a file becomes a blob, fixed at one moment. */
export interface CarriedSettings {
  readonly core: Readonly<Record<string, string>>;
  /** The user's attribute files: `core.attributesFile`, and `info/attributes` of the repository. */
  readonly globalAttributes: Buffer | undefined;
  readonly infoAttributes: Buffer | undefined;
  /** `core.excludesFile` and `info/exclude`. */
  readonly globalExcludes: Buffer | undefined;
  readonly infoExcludes: Buffer | undefined;
  readonly shallow: Buffer | undefined;
}

const CARRIED_KEYS = ['core.autocrlf', 'core.eol', 'core.bigfilethreshold', 'core.checkroundtripencoding'] as const;
const CARRIED_ON_MAC = ['core.ignorecase', 'core.precomposeunicode'] as const;

/** Throws `unsupported_platform`, naming the file, for one that is not regular or larger than 16 MiB: Git would hang on it. */
export async function readCarriedSettings(
  git: Git,
  repository: Repository,
  configuration: Configuration,
): Promise<CarriedSettings> {
  const core: Record<string, string> = {};
  for (const key of process.platform === 'darwin' ? [...CARRIED_KEYS, ...CARRIED_ON_MAC] : CARRIED_KEYS) {
    const value = lastValue(configuration, key);
    if (value !== undefined && /^[\w., -]+$/.test(value)) core[key.slice('core.'.length)] = value;
  }
  const [globalAttributes, infoAttributes, globalExcludes, infoExcludes, shallow] = await Promise.all([
    readUserFile(git, repository, configuration, 'core.attributesfile', 'attributes'),
    readIfThere(join(repository.commonDir, 'info', 'attributes')),
    readUserFile(git, repository, configuration, 'core.excludesfile', 'ignore'),
    readIfThere(join(repository.commonDir, 'info', 'exclude')),
    readIfThere(join(repository.commonDir, 'shallow')),
  ]);
  return { core, globalAttributes, infoAttributes, globalExcludes, infoExcludes, shallow };
}

/** The file that a setting names, or Git's default place for it. */
async function readUserFile(
  git: Git,
  repository: Repository,
  configuration: Configuration,
  key: string,
  defaultName: string,
) {
  const value = lastValue(configuration, key);
  if (value === undefined) {
    const { XDG_CONFIG_HOME: xdg, HOME: home } = git.userEnvironment;
    const base = xdg !== undefined && xdg !== '' ? xdg : home === undefined ? undefined : join(home, '.config');
    return base === undefined ? undefined : readIfThere(join(base, 'git', defaultName));
  }
  if (isAbsolute(value)) return readIfThere(value);
  // `~`, `~user` and `%(prefix)` are Git's to expand.
  const answer = await runGit(git, checkoutPlace(repository), {
    args: ['config', '--type=path', '--get', key],
    normalExits: [0, 1, 128],
  });
  const path = answer.stdout.toString().replace(/\n$/, '');
  return answer.exitCode === 0 && path !== ''
    ? readIfThere(isAbsolute(path) ? path : join(repository.root, path))
    : undefined;
}

/** Makes the directory, which must not exist. */
export async function createPrivateDirectory(options: PrivateDirectoryOptions): Promise<void> {
  const { path, carried } = options;
  await mkdir(path, { mode: 0o700 });
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs', 'info'].map((name) => mkdir(join(path, name), { recursive: true })),
  );
  const write = (name: string, content: string | Buffer | undefined) =>
    content === undefined ? undefined : writeFile(join(path, name), content);
  await Promise.all([
    write('HEAD', `${options.head}\n`),
    write('config', renderConfiguration(options)),
    write('objects/info/alternates', options.borrow.map((entry) => `${quoteAlternate(entry)}\n`).join('')),
    write('attributes', carried.globalAttributes ?? ''),
    write('info/attributes', carried.infoAttributes),
    write('shallow', carried.shallow),
  ]);
}

function renderConfiguration({ path, objectFormat, carried }: PrivateDirectoryOptions): string {
  const lines = [
    '[core]',
    `\trepositoryformatversion = ${objectFormat === 'sha256' ? 1 : 0}`,
    '\tbare = false',
    '\tlogAllRefUpdates = false',
  ];
  lines.push(`\tattributesFile = ${quoteValue(join(path, 'attributes'))}`);
  for (const [key, value] of Object.entries(carried.core)) lines.push(`\t${key} = ${quoteValue(value)}`);
  if (objectFormat === 'sha256') lines.push('[extensions]', '\tobjectFormat = sha256');
  return `${lines.join('\n')}\n`;
}

function quoteValue(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** One line of `objects/info/alternates`; Git unquotes a line that begins with a quotation mark. */
function quoteAlternate(path: string): string {
  return path.includes('\n') ? quoteValue(path) : path;
}
