import { readApproval } from '../given-approval.ts';
import type { Manner } from './manner.ts';

/** The options by which a command line answers for its person. */
export interface ApprovalWords {
  readonly approve?: readonly string[];
  readonly yes?: boolean;
  readonly message?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

/** With an approval on the command line nothing is asked: what it does not settle ends the session. */
export function readManner(
  words: ApprovalWords,
  criteria: Parameters<typeof readApproval>[1],
  canAsk: boolean,
): Manner {
  const approval = readApproval(words, criteria);
  return {
    asks: canAsk && words.json !== true && approval.kind === 'ask',
    approval,
    resumes: words.resume === true,
    commitMessage: words.message,
  };
}
