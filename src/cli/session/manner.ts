import type { Approval } from '../given-approval.ts';

/** How a session deals with its person. */
export interface Manner {
  /** Whether there is somebody who can be asked: a terminal, and a command line that leaves something to ask. */
  readonly asks: boolean;
  readonly approval: Approval;
  /** Goes on with a task that is paused when the session begins, without asking. */
  readonly resumes: boolean;
  readonly commitMessage?: string | undefined;
}

/** What a session did so far, as far as the next step depends on it. */
export interface Done {
  readonly resumed: boolean;
  /** It asked for the commit, and the task came back to review since. */
  readonly finalized: boolean;
}
