import { type Family, filesIn, HOME, USUAL } from './family.ts';

export const gemini: Family = {
  ...USUAL,
  title: 'Gemini CLI',
  command: ['gemini', '--acp'],
  programs: ['gemini', 'gemini-cli'],
  install: 'install it with `npm install -g @google/gemini-cli`, and name its program in the configuration',
  login: 'set GEMINI_API_KEY, or run `gemini` once and log in',
  passes: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  // Not trustedFolders.json: in a folder that nobody trusts it takes no settings of the repository.
  files: filesIn(
    HOME,
    '.gemini/settings.json',
    '.gemini/oauth_creds.json',
    '.gemini/google_accounts.json',
    '.gemini/.env',
  ),
  // In a trusted folder it takes any variable from .env, such as the endpoint that its key is sent to.
  repositorySettings: ['.gemini', '.env'],
  notes: {
    asks: 'Before every edit and command: mode `default`.',
    switchedOff: 'Nothing; all are hidden.',
    lost: 'Every command is refused: it names them in a title for people only, which is no evidence. Verification by the host is not affected.',
  },
};
