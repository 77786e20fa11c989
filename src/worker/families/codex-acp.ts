import { CODEX_HOME, type Family, filesIn, USUAL } from './family.ts';

export const codexAcp: Family = {
  ...USUAL,
  title: 'Codex through codex-acp',
  command: ['codex-acp'],
  programs: ['codex-acp'],
  install: 'install it with `npm install -g @zed-industries/codex-acp`, and name its program in the configuration',
  login: 'run `codex login`, or name a provider with its key in config.toml of $CODEX_HOME (by default ~/.codex)',
  // Its own sandbox does not nest in Remit's: the box stands in for it, and it asks before whatever it does not know as safe.
  arguments: () => ['-c', 'approval_policy="untrusted"', '-c', 'sandbox_mode="danger-full-access"'],
  passes: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL'],
  files: filesIn(CODEX_HOME, 'config.toml', 'auth.json'),
  repositorySettings: ['.codex'],
  // A mode is a pair of sandbox and approval. Where the pair above stands no mode is current, and none is set over it.
  modes: (_lane, current) => (current === undefined ? [] : ['read-only']),
  notes: {
    asks: 'Before every edit, and before every command that Codex does not know as one that only reads: approval policy `untrusted`.',
    switchedOff: 'Its own sandbox, which does not nest in Remit’s.',
    lost: 'A refusal ends its turn: the task pauses as `turn_cancelled` with its work kept, and goes on when it is resumed. Token counts are not reported.',
  },
};
