import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodePath, type ErrorCode, RemitError, visibleLine } from '../base/index.ts';
import { readBounded } from './bounded-file.ts';
import { type CheckoutPointer, findCheckoutPointer } from './checkout-pointer.ts';
import { lastValue, readConfiguration } from './configuration.ts';
import type { Git } from './open-git.ts';
import { readCarriedSettings } from './private-directory.ts';
import { checkoutPlace, type Repository, repositoryId } from './repository.ts';
import { requireSaneRepository } from './repository-files.ts';
import { firstLines, GitFailure, type GitPlace, runGit } from './run-git.ts';

export type Discovery =
  | {
      readonly kind: 'repository';
      readonly repository: Repository /** Of `directory` below the root; '' or without a slash at the end. */;
      readonly prefix: string;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string };

type Refusal = Extract<Discovery, { kind: 'refused' }>;

/** Finds the checkout that a directory belongs to. Every reason why it cannot serve is an answer with its own words. */
export async function discoverRepository(git: Git, directory: string): Promise<Discovery> {
  const at = await realDirectory(directory);
  if (at === undefined) return refused('not_git_repository', `${visibleLine(directory)} is not a directory`);
  try {
    return await look(git, at);
  } catch (error) {
    if (error instanceof RemitError && REFUSALS.has(error.code)) return refused(error.code, error.message);
    if (!(error instanceof GitFailure)) throw error;
    return refused('unsupported_platform', `Git cannot use the repository at ${visibleLine(at)}: ${error.message}`);
  }
}

/** What the checks of pointers and files throw. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['not_git_repository', 'unsupported_platform']);

async function look(git: Git, at: string): Promise<Discovery> {
  const found = await locate(git, at);
  if ('kind' in found) return found;
  await requireSaneRepository(found.repository.gitDir, found.repository.commonDir);
  const [unsupported, head] = await Promise.all([
    findUnsupported(git, found.repository),
    runGit(git, checkoutPlace(found.repository), {
      args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'],
      normalExits: [0, 1, 128],
    }),
  ]);
  if (unsupported !== undefined) return unsupported;
  if (head.exitCode !== 0) {
    return refused(
      'not_git_repository',
      `${visibleLine(found.repository.root)} has no commit yet; make a first commit`,
    );
  }
  return {
    kind: 'repository',
    repository: { ...found.repository, head: head.stdout.toString().trim() },
    prefix: found.prefix,
  };
}

async function realDirectory(directory: string): Promise<string | undefined> {
  try {
    const real = await realpath(directory);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

async function locate(git: Git, directory: string): Promise<{ repository: Repository; prefix: string } | Refusal> {
  const pointer = await findCheckoutPointer(git, directory);
  const found = await askGit(git, directory, pointer);
  return 'kind' in found ? found : (findMismatch(found.repository, pointer) ?? found);
}

const QUESTIONS = [
  '--is-bare-repository',
  '--is-inside-git-dir',
  '--is-inside-work-tree',
  '--path-format=absolute',
  '--show-object-format',
  '--is-shallow-repository',
  '--show-toplevel',
  '--git-dir',
  '--git-common-dir',
  '--show-prefix',
];

/**
 * What Git does not accept as a Git directory it passes over, and goes on to folders above, whose `.git` nobody has checked;
 * so it is kept from going above the folder whose `.git` was.
 */
async function askGit(
  git: Git,
  directory: string,
  pointer: CheckoutPointer | undefined,
): Promise<{ repository: Repository; prefix: string } | Refusal> {
  const ceiling = pointer === undefined ? undefined : dirname(pointer.root);
  if (pointer !== undefined && ceiling?.includes(':')) {
    // A list of ceilings is split at colons.
    const refusal = await refuseInvalid(git, pointer);
    if (refusal !== undefined) return refusal;
  }
  const variables: GitPlace['variables'] = ceiling === undefined ? {} : { GIT_CEILING_DIRECTORIES: ceiling };
  const answer = await runGit(
    git,
    { cwd: directory, variables, configuration: 'user' },
    {
      args: ['rev-parse', ...QUESTIONS],
      normalExits: [0, 128],
    },
  );
  const [isBare, isInsideGitDir, isInsideWorkTree, ...facts] = decodePath(answer.stdout).split('\n');
  if (isInsideGitDir === 'true' || isInsideWorkTree === 'false') {
    const what =
      isBare === 'true' ? 'a bare repository: use a checkout of it' : 'inside a Git directory: start in the checkout';
    return refused('not_git_repository', `${visibleLine(directory)} is ${what}`);
  }
  return answer.exitCode === 0 ? describe(facts) : explain(pointer?.root ?? directory, answer.stderr);
}

async function refuseInvalid(git: Git, { gitDir, root }: CheckoutPointer): Promise<Refusal | undefined> {
  const place: GitPlace = { cwd: gitDir, variables: { GIT_DIR: gitDir }, configuration: 'user' };
  const answer = await runGit(git, place, { args: ['rev-parse', '--git-dir'], normalExits: [0, 128] });
  return answer.exitCode === 0 ? undefined : explain(root, answer.stderr);
}

/** Git must have found what was checked; its configuration may name another checkout, even the whole disk. */
function findMismatch(repository: Repository, pointer: CheckoutPointer | undefined): Refusal | undefined {
  if (pointer?.gitDir !== repository.gitDir) {
    return refused(
      'not_git_repository',
      `${visibleLine(repository.gitDir)} is not named by the nearest .git; start in the checkout`,
    );
  }
  if (pointer.root === repository.root) return undefined;
  return refused(
    'unsupported_platform',
    `core.worktree of ${visibleLine(repository.gitDir)} makes ${visibleLine(repository.root)} the checkout, but the folder with its .git is ${visibleLine(pointer.root)}; unset core.worktree`,
  );
}

async function describe(lines: readonly string[]): Promise<{ repository: Repository; prefix: string } | Refusal> {
  const [objectFormat, isShallow, root = '', gitDir = '', commonDir = '', prefix = ''] = lines;
  // Six answers, each a line: more lines are a name with a newline in it.
  if (lines.length !== 7 || !lines.join('\n').isWellFormed()) {
    return refused('unsupported_platform', 'the path of the repository has a newline or is not UTF-8; move it');
  }
  const realCommonDir = await realpath(commonDir);
  const repository: Repository = {
    root: await realpath(root),
    gitDir: await realpath(gitDir),
    commonDir: realCommonDir,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    id: repositoryId(realCommonDir),
    isShallow: isShallow === 'true',
    head: '',
  };
  return { repository, prefix: prefix.replace(/\/$/, '') };
}

async function explain(directory: string, stderr: string): Promise<Refusal> {
  if (stderr.includes('dubious ownership')) {
    const path = /repository at '([^']*)'/.exec(stderr)?.[1] ?? directory;
    return refused(
      'unsupported_platform',
      `${visibleLine(path)} belongs to another user, so Git does not trust it. If you do, run: git config --global --add safe.directory ${visibleLine(path)}`,
    );
  }
  if (await isWindowsPointer(directory)) {
    return refused(
      'not_git_repository',
      `${visibleLine(directory)} is a worktree that a Git on Windows created; use the Git that made it`,
    );
  }
  if (/not a git repository/i.test(stderr)) {
    // What Git says of no repository at all is said already; of one that it does not accept it names the place.
    const place = /\(or any (?:of the )?parent/.test(stderr) ? '' : ` (${firstLines(stderr)})`;
    return refused('not_git_repository', `${visibleLine(directory)} is not in a Git repository${place}`);
  }
  return refused(
    'unsupported_platform',
    `Git cannot use the repository at ${visibleLine(directory)}: ${firstLines(stderr)}`,
  );
}

async function isWindowsPointer(directory: string): Promise<boolean> {
  const pointer = await readBounded(join(directory, '.git'));
  return pointer.kind === 'file' && /^gitdir: [A-Za-z]:[\\/]/.test(pointer.bytes.toString());
}

async function findUnsupported(git: Git, repository: Repository): Promise<Refusal | undefined> {
  const configuration = await readConfiguration(git, checkoutPlace(repository));
  // The rule files that the configuration names must be such as can be read.
  await readCarriedSettings(git, repository, configuration);
  const isPartial =
    lastValue(configuration, 'extensions.partialclone') !== undefined ||
    configuration.some(([key, value]) => /^remote\..*\.promisor$/s.test(key) && value !== 'false');
  if (!isPartial) return undefined;
  return refused(
    'unsupported_platform',
    `${visibleLine(repository.root)} is a partial clone: objects are missing and Remit never fetches. Use a full clone`,
  );
}

function refused(code: ErrorCode, reason: string): Refusal {
  return { kind: 'refused', code, reason };
}
