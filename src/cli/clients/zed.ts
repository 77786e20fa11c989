import { join } from 'node:path';
import type { Client } from './client.ts';
import { configFolder } from './folders.ts';

/** Zed's own upper limit, in seconds: the change in its source that brought the setting. */
const MOST_SECONDS = 600;

/**
 * Members and what of MCP it supports (no roots): https://zed.dev/docs/ai/mcp. The timeout of one server is in
 * seconds and stands for the 60 s of `context_server_timeout`, as its source has it.
 */
export const zed: Client = {
  title: 'Zed',
  syntax: 'commented json',
  servers: 'context_servers',
  variables: 'env',
  files: (place) => [
    // On macOS it does not look at XDG_CONFIG_HOME.
    join(place.platform === 'darwin' ? join(place.home, '.config') : configFolder(place), 'zed', 'settings.json'),
  ],
  shownFile: '`~/.config/zed/settings.json`',
  entry: ({ command, args }) => ({ command, args, timeout: MOST_SECONDS }),
  tellsDirectory: false,
  notes: () => [
    'It tells the server no directory, so --root must name each repository that it may act on.',
    'timeout is in seconds, 60 when it is not set, and 600 at most. A supervisor must not ask for waits as long as that.',
    'It asks before each call of a tool unless you have allowed the tool.',
    'An agent that runs inside Zed may read its own configuration instead: register Remit with that agent.',
  ],
};
