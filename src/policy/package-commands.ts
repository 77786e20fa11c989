/**
 * Package managers as data. `only`: nothing but these subcommands; `never`: all but these (used where a subcommand can
 * be the name of a script or a plug-in). What changes dependencies, the registry or the machine is in neither.
 */
export interface PackageManager {
  readonly names: string;
  readonly only?: string;
  readonly never?: string;
  /** What it does when no subcommand is given: yarn and composer install. */
  readonly bare: 'harmless' | 'installs';
  /** Global options that take the next argument, and (`flags`) those that do not. Any other before the subcommand is refused. */
  readonly valueOptions?: string;
  readonly flags?: string;
  /** Subcommands after which the arguments are another command, to be judged in its turn. */
  readonly runs?: string;
  /** Whether an unknown subcommand may be a program's name. */
  readonly fallsThrough?: boolean;
}

const QUIET = '-s --silent -q --quiet -v --verbose --offline --prefer-offline --frozen --locked --no-sync --if-present';

export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  {
    names: 'npm',
    only: 'test t tst run run-script rum urn start stop restart exec x ls list ll la explain why root prefix bin query pack help help-search',
    bare: 'harmless',
    valueOptions: '--prefix -C -w --workspace --loglevel',
    flags: `${QUIET} -ws --workspaces --include-workspace-root --ignore-scripts --foreground-scripts --no-audit --no-fund`,
    runs: 'exec x',
  },
  {
    names: 'pnpm',
    never: `add install i install-test it update up upgrade remove rm uninstall un link ln unlink import dedupe prune rebuild rb
      fetch patch patch-commit patch-remove publish deploy dlx create init env setup store config set self-update login logout
      approve-builds server audit ci clean-install`,
    bare: 'harmless',
    valueOptions: '-C --dir --filter -F --loglevel --workspace-concurrency',
    flags: `${QUIET} -r --recursive -w --workspace-root --stream --parallel --aggregate-output --no-bail`,
    runs: 'exec',
    fallsThrough: true,
  },
  {
    names: 'yarn yarnpkg',
    never: `add install up upgrade upgrade-interactive remove link unlink import dedupe rebuild autoclean cache global create
      dlx init publish npm version set config plugin policies login logout owner tag team patch patch-commit unplug audit
      generate-lock-entry self-update`,
    bare: 'installs',
    valueOptions: '--cwd',
    flags: QUIET,
    runs: 'exec run',
    fallsThrough: true,
  },
  {
    names: 'bun',
    never: `add install i a remove rm r update upgrade link unlink pm publish create c init x patch patch-commit outdated audit info`,
    bare: 'harmless',
    valueOptions: '--cwd --filter -F --preload -r --config -c --env-file',
    flags: `${QUIET} --bun --watch --hot`,
    runs: 'run',
    fallsThrough: true,
  },
  {
    names: 'deno',
    never:
      'add install i remove uninstall update upgrade outdated publish deploy jupyter init cache vendor clean x create',
    bare: 'harmless',
  },
  { names: 'pip pipx', only: 'list freeze show check inspect help debug', bare: 'harmless' },
  {
    names: 'uv',
    only: 'run tree version help',
    bare: 'harmless',
    flags: QUIET,
    valueOptions: '--directory --project',
    runs: 'run',
  },
  {
    names: 'poetry',
    only: 'run check show about help',
    bare: 'harmless',
    flags: `${QUIET} -n --no-interaction`,
    valueOptions: '-C -P --directory --project',
    runs: 'run',
  },
  { names: 'pipenv', only: 'run graph verify', bare: 'harmless', flags: QUIET, runs: 'run' },
  { names: 'pdm hatch rye', only: 'run test info show fmt check', bare: 'harmless', flags: QUIET, runs: 'run' },
  {
    names: 'cargo',
    never: `add rm remove install uninstall update publish yank login logout owner vendor fetch new init search
      generate-lockfile binstall release upgrade`,
    bare: 'harmless',
    valueOptions: '--color --config -Z -C --manifest-path',
    flags: QUIET,
  },
  {
    names: 'go',
    only: 'test build vet run generate list fmt env version doc tool mod work help',
    bare: 'harmless',
    valueOptions: '-C',
  },
  { names: 'gem', only: 'list which specification contents environment help check', bare: 'harmless' },
  {
    names: 'bundle bundler',
    only: 'exec show info list check platform version help',
    bare: 'installs',
    runs: 'exec',
    flags: QUIET,
  },
  {
    names: 'composer composer.phar',
    never: `require req r remove rm uninstall install i update u upgrade global create-project init self-update selfupdate config
      reinstall archive bump clear-cache`,
    bare: 'harmless',
    valueOptions: '-d --working-dir',
    flags: `${QUIET} -n --no-interaction --no-ansi --ansi`,
    runs: 'exec',
  },
  {
    names: 'mix',
    never:
      'deps.get deps.update deps.clean deps.unlock hex.publish hex.user local.hex local.rebar archive.install escript.install phx.new',
    bare: 'harmless',
  },
  { names: 'dotnet', never: 'add remove nuget tool workload new restore package', bare: 'harmless' },
  { names: 'swift', never: 'package', bare: 'harmless' },
  { names: 'flutter dart', never: 'pub upgrade create', bare: 'harmless' },
  {
    names: 'lerna nx changeset',
    never: 'publish release version add bootstrap import migrate init',
    bare: 'harmless',
    runs: 'exec',
  },
  {
    names: 'stack cabal opam dune',
    never: 'install update upload publish init new upgrade pin switch remove',
    bare: 'harmless',
    runs: 'exec',
  },
];

/** Programs that take a command: the options that may stand before it. */
export const LAUNCHERS: Readonly<Record<string, string>> = {
  npx: '--no-install --no --offline --prefer-offline --quiet -q --',
  'npm exec': '--no-install --no --offline --prefer-offline --quiet -q --',
  'pnpm exec': '--',
  'yarn exec': '--',
  'yarn run': '--silent -s -T -B',
  'yarn workspaces foreach':
    '-A --all -R --recursive -W --worktree -p --parallel -i --interlaced -t --topological -v --verbose --no-private',
  'bun run': '--silent --bun -b --watch --hot',
  bunx: '--bun --no-install',
  uvx: '--offline --quiet -q --',
  'uv run': '--no-sync --frozen --locked --offline --all-extras --no-dev --quiet -q --',
  'poetry run': '--',
  'pipenv run': '--',
  'bundle exec': '--',
  'composer exec': '-- -v',
  corepack: '',
};

/** Goals of build tools that publish. Of package managers it is the subcommand, or the script that it runs. */
export const PUBLISHING_GOALS: readonly { readonly programs: string; readonly goals: RegExp }[] = [
  { programs: 'make gmake just task rake ant turbo run-s run-p npm-run-all', goals: /^(publish|release|deploy)$/ },
  { programs: 'nx', goals: /(^|:)(publish|release|deploy)$/ },
  { programs: 'sbt lein', goals: /^(.*[:/])?(publish\w*|release|deploy)$/ },
  { programs: 'mvn mvnw', goals: /^(deploy|release:.*|deploy:.*|.*nexus-staging.*)$/ },
  { programs: 'gradle gradlew', goals: /^(.*:)?(publish\w*|uploadArchives|release)$/ },
  { programs: 'dotnet', goals: /^push$/ },
];

export const PUBLISHING_SUBCOMMANDS: ReadonlySet<string> = new Set([
  'publish',
  'unpublish',
  'release',
  'deploy',
  'yank',
  'deprecate',
  'dist-tag',
  'push',
  'hex.publish',
]);
