import type { Awaited, CommandWords, OptionWords } from './command-tree.ts';

/** Finds the command that stands on the line before the cursor, as \`remit\` itself would read it. */
const FUNCTION = `function __remit_is_at
  set -l place ''
  set -l awaits_value 0
  for word in (commandline -opc)[2..-1]
    if test $awaits_value = 1
      set awaits_value 0
      continue
    end
    switch $word
      case '-*'
        contains -- "$place $word" $__remit_valued; and set awaits_value 1
      case '*'
        set -l next (string trim -- "$place $word")
        contains -- $next $__remit_places; and set place $next
    end
  end
  test "$place" = "$argv[1]"
end`;

export function fishScript(tree: readonly CommandWords[]): string {
  const valued = tree.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => quoted(`${path} ${name}`)))),
  );
  return [
    '# Completion of remit for fish.',
    `set -g __remit_places ${tree.map(({ path }) => quoted(path)).join(' ')}`,
    `set -g __remit_valued ${valued.join(' ')}`,
    '',
    FUNCTION,
    '',
    'complete -c remit -e',
    'complete -c remit -f',
    ...tree.flatMap(commandLines),
  ].join('\n');
}

function commandLines({ path, subcommands, options, argument }: CommandWords): string[] {
  const at = `complete -c remit -n ${quoted(`__remit_is_at ${quoted(path)}`)}`;
  return [
    ...subcommands.map(({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`),
    ...options.map((option) => `${at} ${optionWords(option)}`),
    ...(argument === undefined || argument === 'anything' ? [] : [`${at} ${awaited(argument)}`]),
  ];
}

function optionWords({ names, description, value }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  // -x: a value, and no file names beside what is offered.
  const takes = value === undefined ? [] : value === 'file' ? ['-r -F'] : ['-x', awaited(value)].filter(Boolean);
  return [...flags, ...takes, '-d', quoted(description)].join(' ');
}

function awaited(value: Awaited): string {
  if (value === 'task') return "-a '(command remit list-task-ids 2>/dev/null)'";
  if (value === 'file') return '-F';
  if (value === 'folder') return "-a '(__fish_complete_directories (commandline -ct))'";
  return typeof value === 'string' ? '' : `-a ${quoted(value.join(' '))}`;
}

/** In fish a backslash escapes inside single quotes, too. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
