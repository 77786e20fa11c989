import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { decodePath, RemitError, visibleLine } from '../base/index.ts';
import { readIfThere } from './bounded-file.ts';
import type { Git } from './open-git.ts';
import { requireEntryFiles } from './repository-files.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** The `.git` that makes a folder a checkout. */
export interface CheckoutPointer {
  /** Real path of the folder that holds it. */
  readonly root: string;
  /** Real path of the Git directory that it is or names. */
  readonly gitDir: string;
  readonly kind: 'directory' | 'file' | 'link';
}

const MAX_POINTER_BYTES = 64 * 1024;
/** Git looks no further up than a path can be long. */
const MAX_PARENTS = 2_048;

/**
 * The nearest `.git` from a real path upward, by Git's own rules. A pointer (a file or a link) lies where anybody may have
 * written it, so by itself it gives no right to the repository that it names: the Git directory must point back to this
 * checkout. This is decided before any Git runs there, because Git would correct a worktree's back pointer by itself.
 * `undefined` when there is none; throws `not_git_repository` when the Git directory belongs to another checkout.
 */
export async function findCheckoutPointer(git: Git, directory: string): Promise<CheckoutPointer | undefined> {
  let root = directory;
  for (let step = 0; step < MAX_PARENTS; step += 1) {
    const pointer = await readPointer(root);
    if (pointer !== undefined) {
      await requireEntryFiles(pointer.gitDir);
      await requireBackPointer(git, pointer);
      return pointer;
    }
    if (dirname(root) === root) return undefined;
    root = dirname(root);
  }
  return undefined;
}

async function readPointer(root: string): Promise<CheckoutPointer | undefined> {
  const path = join(root, '.git');
  const [own, target] = await Promise.all([orMissing(lstat(path)), orMissing(stat(path))]);
  if (own === undefined || target === undefined) return undefined;
  const named = target.isFile() ? await readPointerFile(root, path) : path;
  const gitDir = named === undefined ? undefined : await orMissing(realpath(named));
  if (gitDir === undefined || !(await isGitDirectory(gitDir))) return undefined;
  return { root, gitDir, kind: own.isSymbolicLink() ? 'link' : target.isFile() ? 'file' : 'directory' };
}

async function readPointerFile(root: string, path: string): Promise<string | undefined> {
  const bytes = await readIfThere(path, MAX_POINTER_BYTES);
  const named = bytes === undefined ? undefined : /^gitdir: (.*?)[\r\n]*$/s.exec(decodePath(bytes))?.[1];
  return named === undefined ? undefined : resolve(root, named);
}

/** As `is_git_directory` of Git's setup.c: a HEAD, and objects and refs of its own or of a common directory. */
async function isGitDirectory(path: string): Promise<boolean> {
  const [head, common, objects] = await Promise.all(
    ['HEAD', 'commondir', 'objects'].map((name) => orMissing(lstat(join(path, name)))),
  );
  return head !== undefined && (common !== undefined || objects !== undefined);
}

async function requireBackPointer(git: Git, pointer: CheckoutPointer): Promise<void> {
  const { gitDir, root, kind } = pointer;
  const common = await readIfThere(join(gitDir, 'commondir'), MAX_POINTER_BYTES);
  if (common !== undefined) return requireRegistration(pointer, decodePath(common).replace(/[\r\n]+$/, ''));
  if (kind === 'directory') return;
  for (const name of ['config.worktree', 'config']) {
    const worktree = await readOwnWorktree(git, join(gitDir, name));
    if (worktree !== undefined && (await orMissing(realpath(resolve(gitDir, worktree)))) === root) return;
  }
  throw new RemitError(
    'not_git_repository',
    `${visibleLine(join(root, '.git'))} names the Git directory ${visibleLine(gitDir)}, which does not name this checkout. If they belong together, say so there: git --git-dir=${visibleLine(gitDir)} config core.worktree ${visibleLine(root)}`,
  );
}

/** A linked worktree: registered in its repository, and the registration names this very `.git`. Layout: gitrepository-layout(5). */
async function requireRegistration({ root, gitDir }: CheckoutPointer, common: string): Promise<void> {
  const commonDir = await orMissing(realpath(resolve(gitDir, common)));
  if (commonDir !== undefined) await requireEntryFiles(commonDir);
  const back = await readIfThere(join(gitDir, 'gitdir'), MAX_POINTER_BYTES);
  const named = back === undefined ? undefined : resolve(gitDir, decodePath(back).replace(/[\r\n]+$/, ''));
  const isRegistered = commonDir !== undefined && dirname(gitDir) === join(commonDir, 'worktrees');
  const pointsBack =
    named !== undefined && basename(named) === '.git' && (await orMissing(realpath(named))) === join(root, '.git');
  if (isRegistered && pointsBack) return;
  throw new RemitError(
    'not_git_repository',
    `${visibleLine(root)} is not the worktree that ${visibleLine(gitDir)} was made for. If it was moved, run in it: git worktree repair`,
  );
}

/** `core.worktree` of one configuration file; no include is followed. */
async function readOwnWorktree(git: Git, file: string): Promise<string | undefined> {
  const place: GitPlace = { cwd: '/', variables: {}, configuration: 'none' };
  const answer = await runGit(git, place, {
    args: ['config', '--file', file, '-z', '--get', 'core.worktree'],
    normalExits: [0, 1, 2, 3, 128],
  });
  return answer.exitCode === 0 ? decodePath(answer.stdout).replace(/\0$/, '') : undefined;
}

async function orMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch(() => undefined);
}
