import { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { bashScript } from './bash-script.ts';
import { commandTree } from './command-tree.ts';
import { fishScript } from './fish-script.ts';
import { quoted } from './shell-tables.ts';

function program(): Command {
  const made = new Command('remit').description('All.');
  const task = made.command('task').description("A person's tasks.");
  task
    .command('show')
    .description('Show one.')
    .argument('<task>')
    .addOption(new Option('-l, --level <level>', 'How much.').choices(['low', 'high']))
    .option('--dir <directory>', 'Where.')
    .option('--text <words>', 'What.')
    .addOption(new Option('--secret').hideHelp());
  made.command('secret', { hidden: true });
  made.command('shell').addArgument(new Argument('<shell>').choices(['bash']));
  return made;
}

test('every visible command is known with its options, their values, and what its argument may be', () => {
  const tree = commandTree(program());
  expect(tree.map(({ path }) => path)).toEqual(['', 'task', 'task show', 'shell']);
  expect(tree[0]?.subcommands.map(({ name }) => name)).toEqual(['task', 'shell']);
  expect(tree[2]).toMatchObject({
    argument: 'task',
    options: [
      { names: ['--level', '-l'], value: ['low', 'high'] },
      { names: ['--dir'], value: 'folder' },
      { names: ['--text'], value: 'anything' },
      { names: ['--help', '-h'], value: undefined },
    ],
  });
  expect(tree[3]?.argument).toEqual(['bash']);
});

test('a description with a quote stays inside its quotes', () => {
  expect(quoted("it's")).toBe("'it'\\''s'");
  expect(bashScript(commandTree(program()))).toContain("'task\tA person'\\''s tasks.'");
  expect(fishScript(commandTree(program()))).toContain("-d 'A person\\'s tasks.'");
});
