import type { Awaited, CommandWords } from './command-tree.ts';

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One line of a table: a word, and behind a tab what it means. */
function line(word: string, description: string): string {
  return quoted(`${word}\t${description.replaceAll(/\s+/g, ' ')}`);
}

/** A value's kind as the scripts read it: words one a line, or a kind behind `@`. */
function awaited(value: Awaited): string {
  return typeof value === 'string' ? quoted(`@${value}`) : value.map(quoted).join(' ');
}

/**
 * What may follow which command, as functions that bash and zsh both understand: `_remit_commands PLACE`,
 * `_remit_options PLACE`, `_remit_value 'PLACE OPTION'`, `_remit_argument PLACE` print one word a line.
 */
export function shellTables(tree: readonly CommandWords[]): string {
  const withSubcommands = tree.filter(({ subcommands }) => subcommands.length > 0);
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      names.flatMap((name) => (value === undefined ? [] : [[`${path} ${name}`, value] as const])),
    ),
  );
  return [
    table(
      '_remit_commands',
      withSubcommands.map(({ path, subcommands }) => [
        path,
        subcommands.map(({ name, description }) => line(name, description)).join(' '),
      ]),
    ),
    table(
      '_remit_options',
      tree.map(({ path, options }) => [
        path,
        options.flatMap(({ names, description }) => names.map((name) => line(name, description))).join(' '),
      ]),
    ),
    table(
      '_remit_value',
      values.map(([place, value]) => [place, awaited(value)]),
    ),
    table(
      '_remit_argument',
      tree.flatMap(({ path, argument }) => (argument === undefined ? [] : [[path, awaited(argument)] as const])),
    ),
  ].join('\n\n');
}

function table(name: string, rows: readonly (readonly [place: string, words: string])[]): string {
  const cases = rows.map(([place, words]) => `    ${quoted(place)}) printf '%s\\n' ${words} ;;`);
  return [`${name}() {`, '  case "$1" in', ...cases, '  esac', '}'].join('\n');
}
