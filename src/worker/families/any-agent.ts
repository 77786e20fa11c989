import { type Family, USUAL } from './family.ts';

/** An agent of which nothing is known but that it speaks ACP. */
export const anyAgent: Family = {
  ...USUAL,
  title: 'Any other agent',
  command: ['my-agent', '--acp'],
  programs: [],
  install: 'install the agent, and name its program by an absolute path or one on PATH in the configuration',
  login: 'start the agent once by hand and log in',
  files: [],
  repositorySettings: [],
  // The mode that asks most; `plan` would ask nothing, because it edits nothing.
  modes: () => ['read-only', 'default', 'ask'],
  notes: {
    asks: 'In the first of the modes `read-only`, `default` and `ask` that it offers, else as it is configured.',
    switchedOff: 'Nothing, because nothing is known of it.',
    lost: 'It starts with an empty home: give it its login by variables that `env` names.',
  },
};
