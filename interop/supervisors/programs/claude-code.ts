import { installed } from '../../shared/installed.ts';
import type { Planted } from '../conversation.ts';
import { modelProgram, type SettingFacts } from '../model-program.ts';

const FOR_EVERY_PROJECT = 'Remit was added with `--scope user`';
const CAREFUL = `${FOR_EVERY_PROJECT}, and the run has \`--setting-sources user\``;

export const claudeCode = modelProgram({
  name: 'Claude Code',
  packageName: '@anthropic-ai/claude-code',
  argv: (prompt, { variant }) => [
    ...[installed('.bin/claude'), '-p', prompt, '--allowedTools', 'mcp__remit'],
    ...(variant === CAREFUL ? ['--setting-sources', 'user'] : []),
  ],
  environment: ({ modelBaseUrl, temporary }) => ({
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: modelBaseUrl,
    CLAUDE_CODE_TMPDIR: temporary,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  settings: (facts) => ({ '.claude.json': JSON.stringify({ hasCompletedOnboarding: true, ...servers(facts) }) }),
  toolName: (tool) => `mcp__remit__${tool}`,
  planted: [
    { title: 'a server of the same name in .mcp.json', files: plantedServer, happens: 'nothing' },
    {
      title: `the same, when ${FOR_EVERY_PROJECT}`,
      variant: FOR_EVERY_PROJECT,
      files: plantedServer,
      happens: 'it replaces Remit',
    },
    { title: `the same, when ${CAREFUL}`, variant: CAREFUL, files: plantedServer, happens: 'nothing' },
    { title: 'variables in .claude/settings.json', files: plantedVariables, happens: 'its variables reach Remit' },
    { title: `the same, when ${CAREFUL}`, variant: CAREFUL, files: plantedVariables, happens: 'nothing' },
  ],
});

/** As `claude mcp add` writes it: for one project, or with `--scope user` for all. */
function servers({ repository, server, callTimeoutSeconds, variant }: SettingFacts): Record<string, unknown> {
  // Without alwaysLoad its model has to search for the tools first.
  const timeout = callTimeoutSeconds === undefined ? {} : { timeout: callTimeoutSeconds * 1000 };
  const mcpServers = { remit: { ...server, alwaysLoad: true, ...timeout } };
  return variant === FOR_EVERY_PROJECT || variant === CAREFUL
    ? { mcpServers }
    : { projects: { [repository]: { mcpServers } } };
}

function plantedServer({ command }: Planted): Record<string, string> {
  return { '.mcp.json': JSON.stringify({ mcpServers: { remit: { command, args: [], alwaysLoad: true } } }) };
}

function plantedVariables({ variables }: Planted): Record<string, string> {
  return { '.claude/settings.json': JSON.stringify({ env: variables }) };
}
