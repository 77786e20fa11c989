import { join } from 'node:path';
import type { Client } from './client.ts';

/**
 * File, members and roots: https://cursor.com/docs/mcp. No timeout is documented, so none is set: a call
 * that sends no progress token is answered after 50 s, below the 60 s that MCP libraries wait by default.
 */
export const cursor: Client = {
  title: 'Cursor',
  syntax: 'commented json',
  servers: 'mcpServers',
  variables: 'env',
  files: ({ home }) => [join(home, '.cursor', 'mcp.json')],
  shownFile: '`~/.cursor/mcp.json`',
  entry: ({ command, args }) => ({ command, args }),
  tellsDirectory: true,
  notes: () => [
    'It tells the server the folders of its window, as MCP roots.',
    'Its documentation names no timeout, so none is set. Remit answers a call after at most 280 s, or 50 s where the client sends no progress token; the worker goes on.',
    'It asks before each call of a tool unless you have allowed the tool.',
  ],
};
