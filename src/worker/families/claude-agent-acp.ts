import { type Family, filesIn, HOME, USUAL } from './family.ts';

export const claudeAgentAcp: Family = {
  ...USUAL,
  title: 'Claude Code through claude-agent-acp',
  command: ['claude-agent-acp'],
  programs: ['claude-agent-acp', 'claude-code-acp'],
  install:
    'install it with `npm install -g @agentclientprotocol/claude-agent-acp`, and name its program in the configuration',
  login: 'set ANTHROPIC_API_KEY, or run `claude` once and log in',
  passes: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
  sessionMeta: { claudeCode: { options: { settingSources: ['user'] } } },
  // Not settings.json: hooks in it would run as the user wrote them, in a place that they were not written for.
  files: filesIn(HOME, '.claude/.credentials.json'),
  repositorySettings: ['.claude', '.mcp.json'],
  notes: {
    asks: 'Before every edit, and before every command that Claude Code does not know as one that only reads: mode `default`.',
    switchedOff: 'Settings, hooks and servers of the project, by `settingSources: ["user"]`.',
    lost: 'The user’s own `settings.json` is not copied: no hooks, no permission rules, no model chosen there. `CLAUDE.md` of the repository is not read.',
  },
};
