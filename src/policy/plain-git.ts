import { gitSubcommandAt } from './audited-reads.ts';
import { programName } from './denied-programs.ts';

/** How a command is to be started. */
export interface Run {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** These show differences, and may be told to have them made by a program. */
const SHOWING: ReadonlySet<string> = new Set(['diff', 'show', 'log', 'diff-tree', 'diff-index']);

/** What a repository's own configuration may not decide: which programs run, and what an answer looks like. Sources: git-config(1), githooks(5). */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.alternateRefsCommand', 'true'],
  ['core.checkStat', 'default'],
  ['core.ignoreStat', 'false'],
  ['core.trustctime', 'true'],
  ['core.untrackedCache', 'false'],
  ['core.quotePath', 'true'],
  ['diff.external', ''],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.srcPrefix', 'a/'],
  ['diff.dstPrefix', 'b/'],
  ['diff.relative', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['diff.submodule', 'short'],
  ['diff.suppressBlankEmpty', 'false'],
  ['color.ui', 'false'],
  ['color.diff', 'false'],
  ['color.grep', 'false'],
  ['color.status', 'false'],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
];

const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_PAGER: 'cat',
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(SETTINGS.map(([name], at) => [`GIT_CONFIG_KEY_${at}`, name])),
  ...Object.fromEntries(SETTINGS.map(([, value], at) => [`GIT_CONFIG_VALUE_${at}`, value])),
};

/**
 * An audited read as it is to be run: a read of Git so that what it shows is Git's own and not what the repository's
 * configuration makes of it. Everything else as it is.
 */
export function plainRun(argv: readonly string[]): Run {
  if (programName(argv[0] ?? '') !== 'git') return { argv, environment: {} };
  const at = gitSubcommandAt(argv);
  const options = SHOWING.has(argv[at] ?? '') ? ['--no-ext-diff', '--no-textconv'] : [];
  return { argv: [...argv.slice(0, at + 1), ...options, ...argv.slice(at + 1)], environment: ENVIRONMENT };
}
