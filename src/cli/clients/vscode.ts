import { isAbsolute, join } from 'node:path';
import type { Client, Place } from './client.ts';
import { configFolder } from './folders.ts';

/**
 * Members: https://code.visualstudio.com/docs/agents/reference/mcp-configuration, which has no timeout; its makers say that
 * a call is waited for until the person ends it. Folder: https://code.visualstudio.com/docs/configure/settings and, for
 * VSCODE_PORTABLE, …/docs/editor/portable.
 */
export const vscode: Client = {
  title: 'Visual Studio Code',
  syntax: 'commented json',
  servers: 'servers',
  variables: 'env',
  files: (place) => [join(userFolder(place), 'mcp.json')],
  shownFile: '`~/.config/Code/User/mcp.json` (macOS: `~/Library/Application Support/Code/User/mcp.json`)',
  entry: ({ command, args }) => ({ type: 'stdio', command, args }),
  tellsDirectory: true,
  ownCommand: (name, entry) => ['code', '--add-mcp', JSON.stringify({ name, ...entry })],
  notes: () => [
    'It tells the server the folders of its window, as MCP roots.',
    'It has no timeout for a call; a person can end one.',
    'This is the file of the default profile. In another profile use the command MCP: Open User Configuration and add the entry there.',
    'It asks before each call of a tool unless you have allowed the tool.',
  ],
};

function userFolder(place: Place): string {
  const portable = place.environment['VSCODE_PORTABLE'];
  if (portable && isAbsolute(portable)) return join(portable, 'user-data', 'User');
  if (place.platform === 'darwin') return join(place.home, 'Library', 'Application Support', 'Code', 'User');
  return join(configFolder(place), 'Code', 'User');
}
