import { join } from 'node:path';
import { CALL_MILLISECONDS, type Client } from './client.ts';
import { configFolder } from './folders.ts';

/** It reads both names, the second over the first, and makes `opencode.jsonc` when there is none. */
export const opencode: Client = {
  title: 'opencode',
  tried: '1.18.33',
  syntax: 'commented json',
  servers: 'mcp',
  variables: 'environment',
  files: (place) => {
    const folder = join(configFolder(place), 'opencode');
    return [join(folder, 'opencode.jsonc'), join(folder, 'opencode.json')];
  },
  shownFile:
    '`opencode.jsonc`, or `opencode.json` where only that exists, in `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`',
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], timeout: CALL_MILLISECONDS }),
  tellsDirectory: true,
  ownCommand: (name, { command }) => ['opencode', 'mcp', 'add', name, '--', ...(command as string[])],
  notes: () => [
    'It tells the server the directory it runs in, as an MCP root.',
    'It calls MCP tools without asking, also without a terminal, unless its permissions say otherwise.',
    'timeout is in milliseconds, 60 s when it is not set; progress, which Remit sends, extends it.',
    'Its own command sets no timeout.',
    'A configuration in a project or in OPENCODE_CONFIG counts over this file.',
  ],
};
