import { type Denial, hardDenial } from './decision.ts';
import { programName, unversionedName } from './denied-programs.ts';
import {
  LAUNCHERS,
  PACKAGE_MANAGERS,
  type PackageManager,
  PUBLISHING_GOALS,
  PUBLISHING_SUBCOMMANDS,
} from './package-commands.ts';

/** Refuses what changes dependencies, publishes, or hands an npm-like tool another shell. */
export function denyPackageCommand(argv: readonly string[]): Denial | undefined {
  const name = unversionedName(programName(argv[0] ?? ''));
  const manager = PACKAGE_MANAGERS.find(({ names }) => words(names).includes(name));
  return (
    denyPublishing(name, manager, argv) ??
    denyShellSetting(name, argv) ??
    (name === 'go' ? denyGo(argv) : undefined) ??
    (name === 'cargo' ? denyCargo(argv) : undefined) ??
    (manager && denySubcommand(name, manager, argv))
  );
}

/** The command inside `npx …`, `uv run …`, `pnpm vitest …`; refused when options that we do not know stand before it. */
export function commandInside(argv: readonly string[]): { inner: readonly string[] } | { denial: Denial } | undefined {
  const name = unversionedName(programName(argv[0] ?? ''));
  const options = Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : undefined;
  if (options !== undefined) return afterOptions(name, options, argv.slice(1));
  const manager = PACKAGE_MANAGERS.find(({ names }) => words(names).includes(name));
  const at = manager && subcommandAt(manager, argv);
  if (manager === undefined || typeof at !== 'number') return undefined;
  const inWorkspace = name === 'yarn' ? insideWorkspace(argv.slice(at)) : undefined;
  if (inWorkspace !== undefined) return inWorkspace;
  const subcommand = argv[at] ?? '';
  if (words(manager.runs).includes(subcommand)) {
    return afterOptions(`${name} ${subcommand}`, LAUNCHERS[`${name} ${subcommand}`] ?? '--', argv.slice(at + 1));
  }
  return manager.fallsThrough && !BUILT_IN.has(subcommand) ? { inner: argv.slice(at) } : undefined;
}

/** `yarn workspace NAME …` and `yarn workspaces foreach …` are `yarn …` in other folders. */
function insideWorkspace([subcommand, first = '', ...rest]: readonly string[]):
  | { inner: readonly string[] }
  | { denial: Denial }
  | undefined {
  if (subcommand === 'workspace') return rest.length > 0 ? { inner: ['yarn', ...rest] } : undefined;
  if (subcommand !== 'workspaces' || /^(list|info)$/.test(first)) return undefined;
  if (first === 'run') return { inner: ['yarn', 'run', ...rest] };
  if (first !== 'foreach') return { denial: dependency(`yarn workspaces ${first}`) };
  const launcher = 'yarn workspaces foreach';
  const inside = afterOptions(launcher, LAUNCHERS[launcher] ?? '', rest);
  return inside && 'inner' in inside ? { inner: ['yarn', ...inside.inner] } : inside;
}

/** Launchers that download a program which they do not find. */
const DOWNLOADERS: ReadonlySet<string> = new Set(['npx', 'npm exec', 'npm x', 'bunx', 'uvx']);

/** `x@latest`, `github:a/b`, `a/b`, `https://…`: what names where a program comes from asks for a download. */
const DOWNLOADED = /^.+@|:|==|^[\w-]+\/[\w.-]+$/;

/** Subcommands of script runners that only look like programs. */
const BUILT_IN: ReadonlySet<string> = new Set(['run', 'test', 't', 'start', 'why', 'list', 'ls', 'exec', 'build']);

function afterOptions(
  launcher: string,
  known: string,
  args: readonly string[],
): { inner: readonly string[] } | { denial: Denial } | undefined {
  const options = words(known);
  let at = 0;
  while (options.includes(args[at] ?? '')) at += 1;
  const next = args[at];
  if (next === undefined) return undefined;
  if (DOWNLOADERS.has(launcher) && DOWNLOADED.test(next)) return { denial: dependency(`${launcher} ${next}`) };
  if (!next.startsWith('-')) return { inner: args.slice(at) };
  if (/^(-c|--call)/.test(next)) {
    return {
      denial: hardDenial(
        'inline_code',
        `inline interpreters (${launcher} ${next})`,
        'Name the program and its arguments.',
      ),
    };
  }
  return {
    denial: hardDenial(
      'dependency_change',
      `dependency-changing package commands (${launcher} with the option ${next})`,
      `Name the installed program directly after \`${launcher}\`; before it only ${options.length === 0 ? 'nothing' : options.join(' ')} may stand.`,
    ),
  };
}

function denySubcommand(name: string, manager: PackageManager, argv: readonly string[]): Denial | undefined {
  const at = subcommandAt(manager, argv);
  if (at === 'none') {
    const asksForHelp = argv.length === 2 && HELP.test(argv[1] ?? '');
    return manager.bare === 'installs' && !asksForHelp ? dependency(`${name} without a subcommand`) : undefined;
  }
  // An option that we do not know may take the next word as its value, so which word is the subcommand is unknown.
  if (at === 'uncertain') return dependency(`${name} with an unknown option before the subcommand`);
  const subcommand = (argv[at] ?? '').replace(/@.*$/s, '');
  const refused =
    words(manager.never).includes(subcommand) ||
    (manager.only !== undefined && !words(manager.only).includes(subcommand));
  return refused ? dependency(`${name} ${subcommand}`) : undefined;
}

const HELP = /^(--version|--help|-h|-v|-V)$/;

function subcommandAt(manager: PackageManager, argv: readonly string[]): number | 'none' | 'uncertain' {
  const takesValue = words(manager.valueOptions);
  const flags = words(manager.flags);
  let known = true;
  for (let at = 1; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    if (arg.startsWith('+')) continue; // cargo +nightly
    if (!arg.startsWith('-')) return known ? at : 'uncertain';
    if (takesValue.includes(arg)) at += 1;
    else if (!arg.includes('=') && !flags.includes(arg) && !HELP.test(arg)) known = false;
  }
  return 'none';
}

function denyPublishing(
  name: string,
  manager: PackageManager | undefined,
  argv: readonly string[],
): Denial | undefined {
  const goals = PUBLISHING_GOALS.find(({ programs }) => words(programs).includes(name))?.goals;
  const [first = '', second = ''] = firstOperands(argv, 2);
  const script = /^(run|run-script|rum|urn|task|exec|x|npm)$/.test(first) ? second : first;
  const published =
    manager && PUBLISHING_SUBCOMMANDS.has(script) ? script : argv.slice(1).find((arg) => goals?.test(arg));
  return published === undefined
    ? undefined
    : hardDenial(
        'publish_action',
        `publish and release actions (${name} ${published})`,
        'Publishing is done by people after the merge.',
      );
}

/** npm takes its options anywhere, and shortened: one of them replaces the shell of every script. */
function denyShellSetting(name: string, argv: readonly string[]): Denial | undefined {
  if (!/^(npm|npx|pnpm|yarn)$/.test(name)) return undefined;
  const end = argv.indexOf('--');
  const options = argv.slice(1, end < 0 ? undefined : end);
  const found = options.find((arg) => /^--(script-?s|shell($|=)|node-o|init-m|userc|globalc)/i.test(arg));
  return found === undefined
    ? undefined
    : hardDenial('shell_or_wrapper', `shells and wrappers (${name} ${found})`, 'Leave the option out.');
}

/** `go get` in its modern clothes, and options that wrap each program that is run. */
function denyGo(argv: readonly string[]): Denial | undefined {
  const wrapper = argv.find((arg) => /^--?(exec|toolexec|vettool)($|=)/.test(arg));
  if (wrapper !== undefined) {
    return hardDenial('shell_or_wrapper', `wrappers (go ${wrapper})`, 'Leave the option out.');
  }
  const [subcommand = '', second = ''] = firstOperands(argv, 2);
  if (subcommand === 'mod' && !/^(verify|graph|why)$/.test(second)) return dependency(`go mod ${second}`);
  if (subcommand === 'work') return dependency(`go work ${second}`);
  if (subcommand === 'env' && argv.some((arg) => /^--?[wu]$/.test(arg))) return dependency('go env -w');
  return subcommand === 'run' && second.includes('@') ? dependency(`go run ${second}`) : undefined;
}

/** A setting may put another program before rustc, the linker or each test. */
function denyCargo(argv: readonly string[]): Denial | undefined {
  const end = argv.indexOf('--');
  const options = argv.slice(1, end < 0 ? undefined : end);
  const found = options.find(
    (arg, at) =>
      /^--config(=|$)/.test(arg) &&
      /runner|wrapper|linker|rustc|rustdoc|alias|credential|\.toml/.test(
        arg === '--config' ? (options[at + 1] ?? '') : arg,
      ),
  );
  return found === undefined
    ? undefined
    : hardDenial('shell_or_wrapper', `wrappers (cargo ${found})`, 'Leave the option out.');
}

function firstOperands(argv: readonly string[], count: number): readonly string[] {
  return argv
    .slice(1)
    .filter((arg) => !arg.startsWith('-'))
    .slice(0, count);
}

function dependency(what: string): Denial {
  return hardDenial(
    'dependency_change',
    `dependency-changing package commands (${what})`,
    'Work with what is installed: run a script or test (`npm test`, `cargo test`); the supervisor changes dependencies.',
  );
}

function words(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : list.split(/\s+/);
}
