import { join } from 'node:path';
import { CALL_MILLISECONDS, type Client } from './client.ts';
import { namedFolder } from './folders.ts';

/** GEMINI_CLI_HOME stands for the home, not for the folder `.gemini` in it. */
export const gemini: Client = {
  title: 'Gemini CLI',
  tried: '0.61.0',
  syntax: 'commented json',
  servers: 'mcpServers',
  variables: 'env',
  files: (place) => [join(namedFolder(place, 'GEMINI_CLI_HOME', ''), '.gemini', 'settings.json')],
  shownFile: '`$GEMINI_CLI_HOME/.gemini/settings.json`, else `~/.gemini/settings.json`',
  entry: ({ command, args }) => ({ command, args, timeout: CALL_MILLISECONDS }),
  trusted: { trust: true },
  tellsDirectory: true,
  ownCommand: (name, { command, args, trust }) => [
    ...['gemini', 'mcp', 'add', '--scope', 'user', '--timeout', String(CALL_MILLISECONDS)],
    ...(trust === true ? ['--trust'] : []),
    ...[name, String(command), ...(args as string[])],
  ],
  notes: () => [
    'It tells the server the directory it runs in, as an MCP root.',
    'Without "trust": true it asks you before each call, and without a terminal (-p) it does not offer the tools at all unless --allowed-tools names them. With it, nothing of this server is ever asked about. `remit mcp install gemini --trust` sets it.',
    'Without a terminal it stops with exit code 55 in a folder that it does not trust.',
    'timeout is in milliseconds, 10 minutes when it is not set, and progress does not extend it.',
    'In a folder that it trusts, the project may put another server under the same name in its own .gemini/settings.json.',
    'When the server ends, it is not started again in that session.',
  ],
};
