/**
 * Interpreters as data: which options carry code inline, which take a value (so that the value is not taken for the
 * script and what follows it for the script's own), and which make sense without a script.
 */
export interface Interpreter {
  readonly names: string;
  /** Letters whose option carries code or reads a program from standard input. */
  readonly inlineShort?: string;
  readonly inlineLong?: string;
  /** Whole words that carry code: subcommands, and long options with one dash. */
  readonly inlineWords?: string;
  /** Letters that take a value, attached or as the next argument. */
  readonly valueShort?: string;
  /** Letters whose value, if any, is attached: the rest of the argument is no option. */
  readonly attachedShort?: string;
  readonly valueLong?: string;
  readonly flagLong?: string;
  /** The letter that names a module and ends the options. */
  readonly moduleShort?: string;
  /** Its first operand is a subcommand, so options behind it are still its own. */
  readonly subcommands?: boolean;
  /** Arguments with which the program needs no script. `*`: it never reads a program from standard input. */
  readonly standalone: string;
}

const NODE_VALUES = `require import loader experimental-loader env-file env-file-if-exists conditions input-type title
  test-name-pattern test-skip-pattern test-reporter test-reporter-destination test-concurrency test-timeout test-shard
  test-global-setup test-isolation test-coverage-include test-coverage-exclude test-coverage-branches test-coverage-functions
  test-coverage-lines max-old-space-size stack-trace-limit disable-warning redirect-warnings watch-path icu-data-dir
  openssl-config dns-result-order unhandled-rejections inspect-port experimental-config-file run tsconfig`;
const NODE_FLAGS = `test watch check no-warnings enable-source-maps experimental-strip-types strip-types
  experimental-transform-types experimental-test-coverage test-only test-force-exit experimental-test-module-mocks
  experimental-vm-modules trace-warnings trace-uncaught trace-deprecation throw-deprecation expose-gc experimental-sqlite
  preserve-symlinks pending-deprecation no-deprecation permission allow-fs-read allow-fs-write test-update-snapshots`;

export const INTERPRETERS: readonly Interpreter[] = [
  {
    names: 'node nodejs tsx ts-node ts-node-esm esno jiti babel-node swc-node coffee',
    inlineShort: 'epi',
    inlineLong: 'eval print interactive',
    inlineWords: 'inspect',
    valueShort: 'rCPO',
    valueLong: NODE_VALUES,
    flagLong: NODE_FLAGS,
    standalone: '--test --run --version --help --v8-options -v -h --watch-path',
  },
  {
    names: 'python pythonw pypy ipython',
    inlineShort: 'ci',
    valueShort: 'WX',
    valueLong: 'check-hash-based-pycs',
    moduleShort: 'm',
    standalone: '-V -VV -h --version --help --help-all',
  },
  { names: 'perl', inlineShort: 'eE', valueShort: 'I', attachedShort: 'iFxVMm', standalone: '-v -V --version' },
  {
    names: 'ruby jruby truffleruby',
    inlineShort: 'e',
    valueShort: 'rICE',
    attachedShort: 'WKFTix',
    standalone: '-v --version -h --help',
  },
  {
    names: 'php',
    inlineShort: 'rBREaS',
    inlineLong: 'run process-begin process-code process-end interactive server',
    valueShort: 'cdfFtz',
    standalone: '-v -m -i -l -f --version --ini',
  },
  {
    names: 'bun bunx',
    inlineShort: 'ep',
    inlineLong: 'eval print',
    inlineWords: 'repl',
    valueShort: 'rc',
    valueLong: 'preload config cwd filter',
    standalone: '*',
  },
  { names: 'deno', subcommands: true, inlineWords: 'eval repl', inlineLong: 'eval', standalone: '*' },
  { names: 'lua luajit luau texlua', inlineShort: 'ei', valueShort: 'l', standalone: '-v' },
  { names: 'rscript r', inlineShort: 'e', inlineLong: 'interactive', standalone: '--version CMD' },
  {
    names: 'julia',
    inlineShort: 'eEi',
    inlineLong: 'eval print',
    valueShort: 'LJCpt',
    valueLong: 'project load threads',
    standalone: '--version -v',
  },
  {
    names: 'elixir iex',
    inlineShort: 'e',
    inlineLong: 'eval rpc-eval',
    valueShort: 'rS',
    standalone: '--version -v -S',
  },
  { names: 'mix', subcommands: true, inlineWords: 'eval rpc -e --eval', standalone: '*' },
  { names: 'erl', inlineWords: '-eval', standalone: '-version' },
  {
    names: 'groovy scala kotlin jshell ghci irb pry clj clojure bb crystal',
    inlineShort: 'eM',
    inlineLong: 'eval',
    inlineWords: 'eval',
    standalone: '--version -version',
  },
  {
    names: 'ghc runghc runhaskell swipl racket guile sbcl gosh csi chicken-csi',
    inlineShort: 'ecg',
    inlineLong: 'eval',
    standalone: '--version --make',
  },
  { names: 'tclsh wish', standalone: '' },
  {
    names: 'make gmake bmake',
    inlineShort: 'E',
    inlineLong: 'eval',
    valueShort: 'CfIjlo',
    attachedShort: 'O',
    standalone: '*',
  },
];

/** awk's first operand is a program that can run others, unless `-f` names it in a file. */
export const PROGRAM_TEXT_INTERPRETERS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'original-awk']);
