import { join } from 'node:path';
import { CALL_SECONDS, type Client } from './client.ts';
import { namedFolder } from './folders.ts';

export const codex: Client = {
  title: 'Codex',
  tried: '0.171.0',
  syntax: 'toml',
  servers: 'mcp_servers',
  variables: 'env',
  files: (place) => [join(namedFolder(place, 'CODEX_HOME', '.codex'), 'config.toml')],
  shownFile: '`$CODEX_HOME/config.toml`, else `~/.codex/config.toml`',
  entry: ({ command, args }) => ({
    command,
    args,
    tool_timeout_sec: CALL_SECONDS,
    default_tools_approval_mode: 'approve',
  }),
  tellsDirectory: true,
  ownCommand: (name, { command, args }) => ['codex', 'mcp', 'add', name, '--', String(command), ...(args as string[])],
  notes: (name) => [
    'It tells the server its directory and its sandbox with every call. In a read-only sandbox nothing can be delegated.',
    'default_tools_approval_mode = "approve" lets it call the tools of this one server without asking you; with approval_policy = "never" it would otherwise refuse those that change something.',
    'tool_timeout_sec is in seconds, 300 when it is not set, and progress does not extend it.',
    '`codex mcp add` writes neither of these two settings.',
    `\`codex exec\` does not wait for a server, so its first turn may go without the tools: give it \`-c mcp_servers.${name}.required=true\`, and it waits.`,
  ],
};
