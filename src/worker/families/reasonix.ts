import { type Family, filesIn, REASONIX_HOME, USUAL } from './family.ts';

export const reasonix: Family = {
  ...USUAL,
  title: 'Reasonix',
  command: ['reasonix', 'acp'],
  programs: ['reasonix'],
  install: 'install it with `npm install -g reasonix`, or set REASONIX_BIN to its program',
  login: 'put its key into config.toml and .env of $REASONIX_HOME (by default ~/.reasonix); `reasonix setup` does that',
  // Its own sandbox is left to `auto` inside Remit's: a nested one cannot always be made, and `enforce` would then refuse
  // every command.
  arguments: ({ network }) => [
    '--planner=off',
    '--sandbox-network',
    network ? 'on' : 'off',
    '--workspace-only',
    '--sandbox-bash',
    'auto',
  ],
  files: filesIn(REASONIX_HOME, 'config.toml', '.env'),
  repositorySettings: ['.reasonix', 'reasonix.toml', '.mcp.json'],
  // Work modes went away after 1.19; there the lane is the mode alone.
  laneOptions: (lane) => [{ id: 'work_mode', values: [lane === 'deep' ? 'delivery' : 'economy'] }],
  modes: (lane) => [lane === 'deep' ? 'goal' : 'normal'],
  asking: { id: 'tool_approval', values: ['ask', 'read-only'] },
  // A goal that is reached puts the session back into normal mode.
  modeEndsWithTurn: true,
  // Seen in 1.38.11: the first goal after a change of effort fails, "session runtime is not attached". 1.19 is not affected.
  effortIsHarmful: (mode, optionIds) =>
    mode === 'goal' && !optionIds.includes('work_mode') ? 'this Reasonix fails when it is set in mode goal' : undefined,
  isQuestion: (toolCallId, kind) => kind === 'other' && toolCallId.startsWith('ask-'),
  notes: {
    asks: 'Before every edit and command: its option `tool_approval` is set to `read-only` (older versions: `ask`). A Reasonix that offers neither is refused.',
    switchedOff: 'Nothing; all are hidden.',
    lost: 'A compound shell command is refused, because it carries no list of arguments.',
  },
};
