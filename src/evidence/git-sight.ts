import { type OptionGrammar, splitArguments } from './arguments.ts';
import { type DiffSection, diffSections } from './diff-sections.ts';
import type { CommandObservation } from './observation.ts';
import { isRoot, repositoryPath } from './repository-path.ts';
import type { Sight } from './sight.ts';

/**
 * Others change where Git works or what it obeys: `-C`, `--git-dir` and `--work-tree` may show another repository with
 * the same names, `-c` may give it a filter for its output.
 */
const GLOBAL = /^--(?:no-pager|no-optional-locks|literal-pathspecs)$/;

/**
 * Left out on purpose: summaries (`--stat`, `--name-only`, `-q`, `-s` …), the index or another state than the work
 * (`--cached`, `-R`, `--no-index`), what hides differences (`-w`, `-b`, `-I`, `-S`, `--diff-filter` …), and layouts
 * whose lines are not told apart for certain (`--word-diff`, `--color`, other prefixes). `-U0` shows every changed line.
 */
const DIFF: OptionGrammar = {
  single:
    /^(?:-[puaWM]|-U\d+|--(?:patch|unified=\d+|text|function-context|full-index|no-color|color=never|no-ext-diff|no-textconv|no-renames|find-renames|minimal|patience|histogram|diff-algorithm=[a-z]+))$/,
};

const SHOW: OptionGrammar = { single: /^--(?:no-color|no-textconv)$/ };

/** What `git diff` and `git show` showed. Only at the root: the same names may also stand in a repository below it. */
export function gitSight(command: CommandObservation, worktree: string | undefined): Sight[] {
  if (command.exit_code !== 0 || !isRoot(command.cwd)) return [];
  const words = command.argv.slice(1);
  while (GLOBAL.test(words[0] ?? '')) words.shift();
  const [verb, ...rest] = words;
  if (verb === 'diff') return differences(rest, command, worktree);
  return verb === 'show' && !command.truncated ? committedFiles(rest) : [];
}

const KINDS = { deletion: 'committed', difference: 'difference' } as const;

type ShownSection = DiffSection & { readonly shows: keyof typeof KINDS };

/** Of the work against HEAD or, without it, the index, which no worker can write. The headers say of which paths. */
function differences(words: readonly string[], command: CommandObservation, worktree: string | undefined): Sight[] {
  const split = splitArguments(words, DIFF);
  if (split === undefined) return [];
  const before = split.operands.slice(0, split.beforeDashes);
  if (before[0] === 'HEAD' || before[0] === '@') before.shift();
  if (split.hasDashes && before.length > 0) return [];
  const sections = shownSections(command);
  // Another commit would show another difference. Without `--` a word is a path for certain only when it was printed:
  // Git refuses a word that could be both.
  const areAllPaths = before.every((word) => {
    const name = repositoryPath(word, { worktree });
    return (
      name !== undefined && sections.some(({ path }) => name === '' || path === name || path.startsWith(`${name}/`))
    );
  });
  return areAllPaths ? sections.map(({ path, shows }) => ({ path, kind: KINDS[shows] })) : [];
}

/** Of an output that was cut only what its very first header says is certain: that its path is gone. */
function shownSections({ stdout, truncated }: CommandObservation): ShownSection[] {
  const isShown = (section: DiffSection): section is ShownSection => section.shows !== 'nothing';
  if (!truncated) return diffSections(stdout).filter(isShown);
  const first = stdout.startsWith('diff --') ? (stdout.split('\ndiff --', 1)[0] ?? '') : '';
  return diffSections(first)
    .filter(isShown)
    .filter(({ shows }) => shows === 'deletion');
}

/** `HEAD:path`, which is the base; another commit shows neither the base nor the work. */
function committedFiles(words: readonly string[]): Sight[] {
  const split = splitArguments(words, SHOW);
  if (split === undefined || split.hasDashes) return [];
  const names = split.operands.map((operand) => /^HEAD:(?!\/)(.+)$/s.exec(operand)?.[1]);
  const paths = names.map((name) => (name === undefined ? undefined : repositoryPath(name)));
  // Something else between them could be what was printed.
  return paths.flatMap((path) => (path && paths.every(Boolean) ? [{ path, kind: 'committed' as const }] : []));
}
