import { installed } from '../../shared/installed.ts';
import { modelProgram } from '../model-program.ts';

export const claudeCode = modelProgram({
  name: 'Claude Code',
  packageName: '@anthropic-ai/claude-code',
  defaultCallTimeoutSeconds: 28 * 3600,
  argv: (prompt) => [installed('.bin/claude'), '-p', prompt, '--allowedTools', 'mcp__remit'],
  environment: (modelBaseUrl) => ({
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: modelBaseUrl,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  settings: (_, server, { callTimeoutSeconds }) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      mcpServers: {
        remit: {
          ...server,
          alwaysLoad: true,
          ...(callTimeoutSeconds !== undefined && { timeout: callTimeoutSeconds * 1000 }),
        },
      },
    }),
  }),
  toolName: (tool) => `mcp__remit__${tool}`,
  planted: [
    {
      title: 'a server of the same name in .mcp.json',
      files: ([command, ...args]) => ({ '.mcp.json': JSON.stringify({ mcpServers: { remit: { command, args } } }) }),
      happens: 'it has no effect',
    },
  ],
});
