import { type Family, USUAL } from './family.ts';

/** The worker that comes with Remit. It works through the host: each effect is decided, performed and recorded there. */
export const builtin: Family = {
  ...USUAL,
  title: 'The bundled worker',
  command: ['remit', 'worker'],
  programs: [],
  install: 'build this version of Remit again: the worker is a part of it',
  login: 'set REMIT_MODEL and its key, or give the worker an entry with the adapter builtin in the configuration',
  files: [],
  repositorySettings: [],
  modes: () => [],
  worksThroughHost: true,
  notes: {
    asks: 'Nothing by itself: every read, change and command is a request to the host, which decides it by the contract.',
    switchedOff: 'Nothing: it reads no settings of a repository.',
    lost: 'Commands are single programs with arguments; there is no shell.',
  },
};
