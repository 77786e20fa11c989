import { Argument, type Command } from 'commander';
import { CLIENT_NAMES, type ClientName } from './clients/names.ts';
import { collect } from './option-values.ts';

interface InstallWords {
  apply?: boolean;
  root?: string[];
  name: string;
  replace?: boolean;
  trust?: boolean;
  json?: boolean;
}

const ABOUT = `Without --apply nothing is written. It edits the user's own configuration of the
client, never a project's, and in it this one entry. The same entry again
changes nothing; another one of the same name is refused without --replace. The
variables that an entry gives to the server stay, and their values are not shown.

With --json it prints one object:
  client    the client
  name      the server's name
  file      the configuration file, absolute
  change    "none", "add" or "replace"
  applied   whether the file was written
  entry     the entry as the client reads it
  text      the entry as a file of its own
  previous  the other entry that it replaces, else null
  diff      the lines that change
  command   the client's own command for it, a list of words, else null
  notes     what a person should know, a list of sentences

Examples:
  remit mcp install codex
  remit mcp install claude --apply
  remit mcp install zed --root ~/code/shop --apply`;

export function addMcpCommands(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('Register Remit as an MCP server with a client.')
    .addHelpText('after', '\nExample:\n  remit mcp install codex --apply');
  addInstall(mcp);
}

function addInstall(mcp: Command): void {
  mcp
    .command('install')
    .description("Show, or write with --apply, the entry for this server in a client's configuration.")
    .addArgument(new Argument('<client>', 'the client').choices(CLIENT_NAMES))
    .option('--apply', 'write it')
    .option('--root <directory>', 'a directory that the server may act in (repeatable)', collect)
    .option('--name <name>', "the server's name", 'remit')
    .option('--replace', 'take the place of another entry of this name')
    .option('--trust', 'let the client call the tools without asking, where it has such a setting (gemini)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\n${ABOUT}`)
    .action(async (client: ClientName, words: InstallWords) => {
      const { apply = false, root: roots = [], name, replace = false, trust = false, json = false } = words;
      const { installClient } = await import('./install-client.ts');
      installClient({ client, name, roots, trust, replace, apply }, { json });
    });
}
