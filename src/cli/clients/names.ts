/** The clients that `remit mcp install` knows; apart from the rest, so that the command line is parsed without loading it. */
export const CLIENT_NAMES = ['codex', 'claude', 'gemini', 'cursor', 'vscode', 'zed', 'opencode'] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];
