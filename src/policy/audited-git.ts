import type { ReadOptions } from './read-options.ts';

/** Options before the subcommand. All others (`-c`, `-C`, `-p`, `--git-dir`, `--exec-path=`, `--config-env` …) change what Git obeys. */
export const GIT_GLOBAL_OPTIONS: ReadonlySet<string> = new Set([
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
]);

const DIFF_LONG = `patch no-patch raw patch-with-raw patch-with-stat minimal patience histogram numstat shortstat cumulative summary
  name-only name-status no-color no-renames find-copies-harder irreversible-delete full-index binary exit-code quiet text
  ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-cr-at-eol function-context no-ext-diff
  no-textconv indent-heuristic no-indent-heuristic no-prefix default-prefix check cached staged merge-base pickaxe-all pickaxe-regex
  no-relative compact-summary root always no-commit-id cc combined-all-paths ita-invisible-in-index`;
const DIFF_ATTACHED = `stat dirstat find-renames find-copies break-rewrites abbrev color color-words word-diff color-moved
  color-moved-ws submodule ignore-submodules relative ws-error-highlight`;
const DIFF_VALUE =
  'unified diff-filter diff-algorithm inter-hunk-context word-diff-regex stat-width stat-name-width stat-count';
const LOG_LONG = `oneline graph follow no-follow first-parent merges no-merges reverse topo-order date-order author-date-order left-right
  cherry-pick cherry-mark cherry left-only right-only boundary walk-reflogs source abbrev-commit no-abbrev-commit parents children
  all branches tags remotes simplify-by-decoration full-history ancestry-path sparse dense no-notes relative-date ignore-missing
  all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp basic-regexp mailmap no-mailmap log-size
  no-decorate clear-decorations full-diff no-expand-tabs`;
const LOG_ATTACHED = `pretty format decorate no-walk notes branches tags remotes date glob exclude min-parents max-parents
  decorate-refs decorate-refs-exclude show-linear-break expand-tabs encoding`;
const LOG_VALUE = 'since until after before author committer grep max-count skip';

const DIFF: ReadOptions = {
  short: 'pusRabwWzrtmc',
  shortValue: 'UlSG',
  shortAttached: 'MCBDX',
  long: DIFF_LONG,
  longAttached: DIFF_ATTACHED,
  longValue: DIFF_VALUE,
  operands: 'git',
};
const LOG: ReadOptions = {
  ...DIFF,
  short: 'pusRabwWzrtmciEFPgv',
  shortValue: 'UlSGn',
  shortPath: 'L',
  long: `${DIFF_LONG} ${LOG_LONG}`,
  longAttached: `${DIFF_ATTACHED} ${LOG_ATTACHED}`,
  longValue: `${DIFF_VALUE} ${LOG_VALUE}`,
  numeric: true,
};

/** Git's reading subcommands. Git takes shortened long options, so only full spellings count. */
export const AUDITED_GIT: Readonly<Record<string, ReadOptions>> = {
  diff: { ...DIFF, numeric: true },
  show: LOG,
  log: LOG,
  'rev-list': {
    ...LOG,
    long: `${LOG.long} count objects no-object-names timestamp header unpacked`,
    longAttached: `${LOG.longAttached} disk-usage`,
  },
  'diff-tree': { ...DIFF, short: `${DIFF.short}v`, longAttached: `${DIFF.longAttached} pretty format` },
  'diff-index': DIFF,
  status: {
    short: 'sbvz',
    shortAttached: 'uM',
    long: 'short branch long verbose no-renames renames show-stash null no-column ahead-behind no-ahead-behind',
    longAttached: 'porcelain untracked-files ignored ignore-submodules find-renames column',
    operands: 'git',
  },
  'rev-parse': {
    short: 'q',
    long: `verify quiet symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir
      is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-object-format
      show-superproject-working-tree all branches tags remotes revs-only no-revs flags no-flags`,
    longAttached: 'short abbrev-ref path-format branches tags remotes show-object-format',
    operands: 'git',
  },
  'ls-files': {
    short: 'cdmosukztfv',
    shortValue: 'x',
    shortPath: 'X',
    long: `cached deleted modified others stage unmerged killed exclude-standard directory no-empty-directory eol full-name
      error-unmatch deduplicate recurse-submodules debug sparse ignored resolve-undo`,
    longAttached: 'abbrev format',
    longValue: 'exclude with-tree',
    longPath: 'exclude-from',
    operands: 'git',
  },
  'ls-tree': {
    short: 'drtlz',
    long: 'name-only name-status long full-name full-tree object-only',
    longAttached: 'abbrev format',
    operands: 'git',
  },
  'cat-file': { short: 'tsep', operands: 'git' },
  'name-rev': {
    long: 'tags name-only always no-undefined undefined all',
    longAttached: 'refs exclude',
    operands: 'git',
  },
  describe: {
    long: 'all tags contains exact-match long always first-parent debug',
    longAttached: 'dirty broken abbrev candidates match exclude',
    operands: 'git',
  },
  'merge-base': { short: 'a', long: 'all octopus independent is-ancestor fork-point', operands: 'git' },
  'show-ref': {
    short: 'dsq',
    long: 'head heads tags branches dereference verify quiet exists',
    longAttached: 'hash abbrev',
    operands: 'git',
  },
  // A second operand of symbolic-ref is what it writes.
  'symbolic-ref': { short: 'q', long: 'quiet short no-recurse recurse', operands: 'git', mostOperands: 1 },
  grep: {
    short: 'acEFGhHIilLnopqPrvWwz',
    shortValue: 'ABCem',
    shortPath: 'f',
    long: `cached untracked exclude-standard recurse-submodules invert-match ignore-case word-regexp text line-number column
      full-name extended-regexp basic-regexp perl-regexp fixed-strings name-only files-with-matches files-without-match null
      count show-function function-context break heading only-matching quiet all-match and or not no-color`,
    longAttached: 'color',
    longValue: 'max-depth max-count threads context after-context before-context',
    numeric: true,
    operands: 'git_pattern',
    patternOptions: '-e -f',
  },
  'check-ignore': { short: 'qvzn', long: 'quiet verbose non-matching', operands: 'git' },
};

/** Reading subcommands that are not audited but change nothing: a contract may allow them. */
export const OTHER_GIT_READS: ReadonlySet<string> = new Set([
  'blame',
  'annotate',
  'shortlog',
  'whatchanged',
  'for-each-ref',
  'count-objects',
  'diff-files',
  'cherry',
  'range-diff',
  'check-attr',
  'check-mailmap',
  'check-ref-format',
  'fsck',
  'get-tar-commit-id',
  'stripspace',
  'verify-pack',
  'version',
]);

/** Options of reading subcommands that write or execute. Git takes any unambiguous beginning of them. */
export const DANGEROUS_GIT_OPTIONS: readonly string[] = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--filters',
  '--open-files-in-pager',
  '--show-signature',
  '--upload-pack',
  '--exec',
  '--paginate',
  '--batch-command',
  '--lost-found',
];
