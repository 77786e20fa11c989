import { type Denial, hardDenial } from './decision.ts';
import { programName, unversionedName } from './denied-programs.ts';
import { LAUNCHERS, PACKAGE_MANAGERS, type PackageManager, PUBLISHING } from './package-commands.ts';

/** What a package manager's command comes to: refused, or another command that it would run, to be judged in turn. */
export type PackageVerdict = { readonly denial: Denial } | { readonly inner: readonly string[] } | undefined;

/** Judges dependency changes, publishing, and launchers such as `npx` and `cargo run`-like subcommands. */
export function judgePackageCommand(argv: readonly string[]): PackageVerdict {
  const name = programName(argv[0] ?? '');
  const publishing = denyPublishing(name, argv.slice(1));
  if (publishing) return { denial: publishing };
  if (name in LAUNCHERS) return launched(name, argv.slice(1));
  const manager = PACKAGE_MANAGERS.find(({ names }) => {
    const known = words(names);
    return known.includes(name) || known.includes(unversionedName(name));
  });
  return manager && judgeManager(name, manager, argv.slice(1));
}

function denyPublishing(name: string, args: readonly string[]): Denial | undefined {
  const kind = PUBLISHING.find(({ programs }) => words(programs).includes(unversionedName(name)));
  const word = kind && args.find((arg) => kind.words.test(arg));
  if (word === undefined) return undefined;
  return hardDenial(
    'publish_action',
    `publish and release actions (${name} ${word})`,
    'Publishing is done by people after the merge.',
  );
}

function judgeManager(name: string, manager: PackageManager, args: readonly string[]): PackageVerdict {
  const { candidates, rest } = findSubcommand(manager, args);
  const [subcommand] = candidates;
  if (subcommand === undefined) {
    const harmless =
      manager.bare === 'harmless' || args.some((arg) => ['--version', '-v', '--help', '-h'].includes(arg));
    return harmless ? undefined : { denial: changes(name, '(no subcommand installs)') };
  }
  const refused = candidates.find((candidate) => !mayRun(manager, candidate));
  if (refused !== undefined) return { denial: changes(name, refused) };
  if (words(manager.runs).includes(subcommand)) return launched(`${name} ${subcommand}`, rest);
  return undefined;
}

function mayRun(manager: PackageManager, subcommand: string): boolean {
  if (manager.only !== undefined) return words(manager.only).includes(subcommand);
  return !words(manager.never).includes(subcommand);
}

/** The subcommand; after an option that nobody knows, the next two words may each be it. */
function findSubcommand(
  manager: PackageManager,
  args: readonly string[],
): { candidates: string[]; rest: readonly string[] } {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') && !arg.startsWith('+')) return { candidates: [arg], rest: args.slice(at + 1) };
    if (words(manager.valueOptions).includes(arg)) at += 1;
    else if (!arg.includes('=') && !words(manager.flags).includes(arg)) {
      const next = args.slice(at + 1).filter((word) => !word.startsWith('-'));
      return { candidates: next.slice(0, 2), rest: args.slice(at + 2) };
    }
  }
  return { candidates: [], rest: [] };
}

/** The command behind a launcher; its own options are a closed list, since others fetch or evaluate. */
function launched(launcher: string, args: readonly string[]): PackageVerdict {
  const known = words(LAUNCHERS[launcher] ?? '');
  let at = 0;
  while (at < args.length && known.includes(args[at] ?? '')) at += 1;
  const inner = args.slice(at);
  if (inner.length === 0) return { denial: changes(launcher, '(no program)') };
  if (inner[0]?.startsWith('-')) {
    return {
      denial: hardDenial(
        'shell_or_wrapper',
        `wrappers: ${launcher} with ${inner[0]}`,
        `Name the program directly after ${launcher}.`,
      ),
    };
  }
  return { inner };
}

function changes(name: string, what: string): Denial {
  return hardDenial(
    'dependency_change',
    `dependency-changing package commands (${name} ${what})`,
    'Work with what is installed; say in the result what would be needed.',
  );
}

function words(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : list.split(/\s+/);
}
