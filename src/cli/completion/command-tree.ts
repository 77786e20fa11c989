import type { Argument, Command, Option } from 'commander';

/** What may stand where a value is awaited: one of these words, a task, a file, a folder, or anything. */
export type Awaited = readonly string[] | 'task' | 'file' | 'folder' | 'anything';

export interface OptionWords {
  /** `--json`, and `-h` where there is a short form. */
  readonly names: readonly string[];
  readonly description: string;
  /** What its value may be; undefined when it takes none. */
  readonly value: Awaited | undefined;
}

/** One command with everything that may follow it. */
export interface CommandWords {
  /** Its words without the program's own name; empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionWords[];
  /** What its arguments may be; undefined when it takes none. */
  readonly argument: Awaited | undefined;
}

/** Every command that help shows, from the commands themselves, so that a completion cannot offer anything else. */
export function commandTree(command: Command, path = ''): CommandWords[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const [argument] = command.registeredArguments;
  const words: CommandWords = {
    path,
    subcommands: subcommands.map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command).map(optionWords),
    argument: argument && awaitedBy(argument.name(), argument),
  };
  return [words, ...subcommands.flatMap((one) => commandTree(one, `${path} ${one.name()}`.trim()))];
}

function optionWords(option: Option): OptionWords {
  const takesValue = option.required || option.optional;
  const name = /[<[]([a-z-]+)/.exec(option.flags)?.[1] ?? '';
  return {
    names: [option.long, option.short].filter((one) => one !== undefined && one !== null),
    description: option.description,
    value: takesValue ? awaitedBy(name, option) : undefined,
  };
}

/** By the choices that the command states, else by the name that its help gives to the value. */
function awaitedBy(name: string, { argChoices }: Pick<Argument | Option, 'argChoices'>): Awaited {
  if (argChoices !== undefined) return argChoices;
  switch (name) {
    case 'task':
      return 'task';
    case 'file':
    case 'contract':
      return 'file';
    case 'directory':
      return 'folder';
    default:
      return 'anything';
  }
}
