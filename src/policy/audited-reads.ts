import { denyArgumentPath, type Place } from './argument-path.ts';
import { AUDITED_GIT, DANGEROUS_GIT_OPTIONS, GIT_GLOBAL_OPTIONS, OTHER_GIT_READS } from './audited-git.ts';
import { readFind, readSed } from './audited-languages.ts';
import { AUDITED_PROGRAMS } from './audited-programs.ts';
import { type Denial, hardDenial } from './decision.ts';
import { programName } from './denied-programs.ts';
import { type ReadArguments, readArguments } from './read-options.ts';

export type ReadVerdict =
  /** Reads only, and every path it names is inside and no credential. */
  | { readonly kind: 'audited'; readonly name: string }
  | { readonly kind: 'denied'; readonly denial: Denial }
  /** A reading program with an argument that is not on its list: a contract may allow it, nothing else does. */
  | { readonly kind: 'unlisted_argument'; readonly name: string; readonly argument: string }
  | { readonly kind: 'other' };

/** Judges a command as an audited read. The program is a bare name or the system's: `./cat` is whatever the repository put there. */
export function judgeRead(argv: readonly string[], place: Place): ReadVerdict {
  const program = (argv[0] ?? '').replace(/^\/(usr\/)?bin\//, '');
  const [name, read] = program === 'git' ? readGit(argv) : readProgram(program, argv.slice(1));
  if (read === undefined) return { kind: 'other' };
  if (read.kind === 'refused') return { kind: 'unlisted_argument', name, argument: read.argument };
  for (const path of read.paths) {
    const denial = denyArgumentPath(path, place);
    if (denial !== undefined) return { kind: 'denied', denial };
  }
  return { kind: 'audited', name };
}

function readProgram(program: string, args: readonly string[]): [string, ReadArguments | undefined] {
  if (program === 'sed') return [program, readSed(args)];
  if (program === 'find') return [program, readFind(args)];
  const options = Object.hasOwn(AUDITED_PROGRAMS, program) ? AUDITED_PROGRAMS[program] : undefined;
  return [program, options && readArguments(options, args)];
}

function readGit(argv: readonly string[]): [string, ReadArguments | undefined] {
  if (argv.length === 2 && argv[1] === '--version') return ['git --version', { kind: 'read', paths: [] }];
  const at = gitSubcommandAt(argv);
  const subcommand = argv[at] ?? '';
  const options = Object.hasOwn(AUDITED_GIT, subcommand) ? AUDITED_GIT[subcommand] : undefined;
  return [`git ${subcommand}`, options && readArguments(options, argv.slice(at + 1))];
}

/** Refuses Git commands that change something, or that let an option or an alias run a program. */
export function denyGit(argv: readonly string[]): Denial | undefined {
  if (programName(argv[0] ?? '') !== 'git') return undefined;
  const at = gitSubcommandAt(argv);
  const subcommand = argv[at] ?? '';
  if (argv.length === 2 && subcommand === '--version') return undefined;
  if (subcommand.startsWith('-') || subcommand === '')
    return gitDenial(`the option ${subcommand || 'missing'} before the subcommand`);
  if (!Object.hasOwn(AUDITED_GIT, subcommand) && !OTHER_GIT_READS.has(subcommand))
    return gitDenial(`git ${subcommand}`);
  const args = argv.slice(at + 1);
  const end = args.indexOf('--');
  const dangerous = args.slice(0, end < 0 ? undefined : end).find((arg) => isDangerousOption(subcommand, arg));
  if (dangerous !== undefined) return gitDenial(`git ${subcommand} with ${dangerous}`);
  const writesRef =
    subcommand === 'symbolic-ref' &&
    (args.some((arg) => /^(-[dm]|--del)/.test(arg)) || args.filter((arg) => !arg.startsWith('-')).length > 1);
  return writesRef ? gitDenial('git symbolic-ref that writes') : undefined;
}

/** Where in an argv of Git its subcommand stands. */
export function gitSubcommandAt(argv: readonly string[]): number {
  let at = 1;
  while (GIT_GLOBAL_OPTIONS.has(argv[at] ?? '')) at += 1;
  return at;
}

/** Harmless options that are the beginning of a dangerous one. */
const WHOLE_GIT_OPTIONS: ReadonlySet<string> = new Set(['--text', '--batch', '--filter']);

function isDangerousOption(subcommand: string, arg: string): boolean {
  if (subcommand === 'grep' && /^-[A-Za-z]*O/.test(arg) && !/^-[ABCefm]/.test(arg)) return true;
  if (subcommand === 'diff' || subcommand === 'log' || subcommand === 'show') {
    if (/^-O/.test(arg)) return true;
  }
  const name = arg.split('=')[0] ?? '';
  if (!/^--./.test(name) || WHOLE_GIT_OPTIONS.has(name)) return false;
  return DANGEROUS_GIT_OPTIONS.some((option) => option.startsWith(name));
}

function gitDenial(what: string): Denial {
  return hardDenial(
    'git_mutation',
    `git mutation, ref or history change (${what})`,
    'Git may be read with status, diff, show, log, ls-files, grep and their like, without options before the subcommand; Remit commits.',
  );
}
