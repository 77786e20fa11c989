import { type Denial, hardDenial } from './decision.ts';

/** Subcommands that only read. Everything else that Git has changes something, fetches, or runs what the repository names. */
const READING = new Set(
  'status diff show log rev-parse rev-list diff-tree diff-index ls-files ls-tree cat-file name-rev describe merge-base show-ref symbolic-ref grep check-ignore'.split(
    ' ',
  ),
);

/** Global options, before the subcommand. `-c`, `--git-dir`, `--exec-path`, `-C`, `-p` and their like lead Git elsewhere. */
const GLOBAL_OPTIONS = new Set(['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects']);

/** Options after the subcommand that write a file, run a program, or read outside the repository; by their full names. */
const REFUSED_LONG =
  'output ext-diff textconv no-index git-dir work-tree exec-path namespace open-files-in-pager filters batch-command upload-pack receive-pack exec config-env super-prefix paginate'.split(
    ' ',
  );

/** Letters that are refused after a subcommand: grep -O opens a pager. */
const REFUSED_SHORT: Readonly<Record<string, RegExp>> = { grep: /^-[A-Za-z]*O/ };

/** Git as an audited read: a closed list of subcommands, position-aware. Undefined: it may run. */
export function denyGit(argv: readonly string[]): Denial | undefined {
  let at = 1;
  while (GLOBAL_OPTIONS.has(argv[at] ?? '')) at += 1;
  const subcommand = argv[at];
  if (subcommand === '--version' || subcommand === undefined) return undefined;
  if (subcommand.startsWith('-')) return mutation(`git ${subcommand} before the subcommand`);
  if (!READING.has(subcommand)) return mutation(`git ${subcommand}`);
  const args = argv.slice(at + 1);
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const refused = options.find((option) => isRefused(subcommand, option));
  if (refused !== undefined) return mutation(`git ${subcommand} ${refused}`);
  return subcommand === 'symbolic-ref' ? denySymbolicRef(options) : undefined;
}

/** Git takes every unambiguous beginning of a long option for the whole. */
function isRefused(subcommand: string, option: string): boolean {
  if (REFUSED_SHORT[subcommand]?.test(option)) return true;
  const name = /^--([a-z][a-z-]*)/.exec(option)?.[1];
  if (name === undefined) return false;
  return REFUSED_LONG.some(
    (long) => long === name || (name.length >= 3 && long.startsWith(name) && !isWholeOption(name)),
  );
}

/** Options that are themselves the beginning of a refused one. */
function isWholeOption(name: string): boolean {
  return ['filter', 'text', 'name'].includes(name);
}

/** With one name it reads where it points; with two, or `-d`, it changes it. */
function denySymbolicRef(options: readonly string[]): Denial | undefined {
  const names = options.filter((option) => !option.startsWith('-'));
  const harmless = options.every((option) => !option.startsWith('-') || ['-q', '--quiet', '--short'].includes(option));
  return harmless && names.length === 1 ? undefined : mutation('git symbolic-ref that changes a ref');
}

function mutation(what: string): Denial {
  return hardDenial(
    'git_mutation',
    `git mutation and what leads Git elsewhere (${what})`,
    `Remit makes the one commit itself; reading works: git ${[...READING].slice(0, 5).join(', ')} … without options that write or run something.`,
  );
}
