import { join } from 'node:path';
import { CALL_MILLISECONDS, type Client } from './client.ts';
import { namedFolder } from './folders.ts';

/** Its file is plain JSON, which it writes itself while it runs. */
export const claude: Client = {
  title: 'Claude Code',
  tried: '2.1.332',
  syntax: 'json',
  servers: 'mcpServers',
  variables: 'env',
  files: (place) => [join(namedFolder(place, 'CLAUDE_CONFIG_DIR', ''), '.claude.json')],
  shownFile: '`$CLAUDE_CONFIG_DIR/.claude.json`, else `~/.claude.json`',
  entry: ({ command, args }) => ({
    type: 'stdio',
    command,
    args,
    timeout: CALL_MILLISECONDS,
    alwaysLoad: true,
  }),
  tellsDirectory: true,
  ownCommand: (name, entry) => ['claude', 'mcp', 'add-json', '--scope', 'user', name, JSON.stringify(entry)],
  notes: (name) => [
    'It tells the server the directory it runs in, as an MCP root.',
    `Without a terminal (-p) it refuses every MCP tool that is not allowed: give --allowedTools mcp__${name}.`,
    'timeout is in milliseconds; besides, it gives up after 30 minutes without progress, which Remit sends at least every 15 s.',
    'alwaysLoad shows the tools to the model from the start; otherwise it finds MCP tools by search only.',
    'It passes the server its whole environment. What of it a worker gets is decided by Remit.',
    'End running sessions first: each writes this file from time to time, and may write back what it read before.',
  ],
};
