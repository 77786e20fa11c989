import { CONFIG, DATA, type Family, filesIn, USUAL } from './family.ts';

export const opencode: Family = {
  ...USUAL,
  title: 'opencode',
  command: ['opencode', 'acp'],
  programs: ['opencode'],
  install: 'install it with `npm install -g opencode-ai`, and name its program in the configuration',
  login: 'run `opencode auth login`, or give its provider a key in opencode.json',
  environment: {
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    // Read last of all its settings, so that no file of the user or the repository lifts the asking.
    OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask', external_directory: 'ask' }),
    // Otherwise the first refusal ends the turn.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ experimental: { continue_loop_on_deny: true } }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  },
  passes: ['OPENCODE_API_KEY'],
  files: [
    ...filesIn(CONFIG, 'opencode/opencode.json', 'opencode/opencode.jsonc', 'opencode/config.json'),
    ...filesIn(DATA, 'opencode/auth.json'),
  ],
  repositorySettings: ['opencode.json', 'opencode.jsonc', '.opencode'],
  modes: () => ['build'],
  notes: {
    asks: 'Before every edit, command and fetch: `OPENCODE_PERMISSION` says so, over its own configuration.',
    switchedOff:
      'Configuration, agents and commands of the project, by `OPENCODE_DISABLE_PROJECT_CONFIG`. Not plugins: 1.18.33 runs those of the project whatever its switches say, so that only hiding stops them.',
    lost: 'Plugins, agents and commands in the user’s home are not copied. A value of `OPENCODE_CONFIG_CONTENT` or `OPENCODE_PERMISSION` of the operator is replaced.',
  },
};
