import { RemitError, visibleLine } from '../../base/index.ts';
import type { Approval, Manner } from './manner.ts';

/** The options by which a command line answers for its person. */
export interface ApprovalWords {
  readonly approve?: readonly string[];
  readonly yes?: boolean;
  readonly message?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

interface Criterion {
  readonly id: string;
  readonly evidence: 'automated' | 'review';
}

/** With an approval on the command line nothing is asked: what it does not settle ends the session. */
export function readManner(words: ApprovalWords, criteria: readonly Criterion[], canAsk: boolean): Manner {
  const approval = readApproval(words, criteria);
  return {
    asks: canAsk && words.json !== true && approval.kind === 'ask',
    approval,
    resumes: words.resume === true,
    commitMessage: words.message,
  };
}

function readApproval({ approve = [], yes }: ApprovalWords, criteria: readonly Criterion[]): Approval {
  if (yes === true && approve.length > 0) {
    throw new RemitError('invalid_request', '--yes approves every review criterion: give it, or --approve for some.');
  }
  if (yes === true) return { kind: 'all' };
  if (approve.length === 0) return { kind: 'ask' };
  const unknown = approve.filter((id) => !criteria.some((criterion) => criterion.id === id));
  if (unknown.length === 0) return { kind: 'listed', ids: approve };
  const known = criteria.filter(({ evidence }) => evidence === 'review').map(({ id }) => id);
  throw new RemitError(
    'invalid_request',
    `--approve ${unknown.map(visibleLine).join(', ')}: the contract has no such criterion; its review criteria are: ${known.join(', ') || 'none'}.`,
    { details: { required_review_criteria: known } },
  );
}
