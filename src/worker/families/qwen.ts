import { type Family, filesIn, HOME, USUAL } from './family.ts';

export const qwen: Family = {
  ...USUAL,
  title: 'Qwen Code',
  command: ['qwen', '--acp'],
  programs: ['qwen', 'qwen-code'],
  install: 'install it with `npm install -g @qwen-code/qwen-code`, and name its program in the configuration',
  login: 'set OPENAI_API_KEY, or run `qwen` once and log in',
  arguments: () => ['--safe-mode'],
  passes: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
  files: filesIn(HOME, '.qwen/settings.json', '.qwen/oauth_creds.json', '.qwen/.env'),
  // It comes of Gemini CLI, and reads .env alike.
  repositorySettings: ['.qwen', '.env'],
  notes: {
    asks: 'Before every edit and command: mode `default`.',
    switchedOff: 'Hooks, servers and permission rules, by `--safe-mode`.',
    lost: 'The user’s own hooks and servers are off too.',
  },
};
