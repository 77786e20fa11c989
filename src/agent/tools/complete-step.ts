import { completeStepSchema } from '../../evidence/index.ts';
import { defineTool } from './define-tool.ts';
import { refusedClaim } from './refused-claim.ts';

export const completeStep = defineTool({
  name: 'complete_step',
  readOnly: true,
  description:
    'Say that a step is done, with what shows it. Refused when the record of this session does not bear it out.',
  input: completeStepSchema,
  async run(step, { authority, ledger }) {
    const verdict = await authority.claim({ kind: 'step', step }, ledger);
    if (verdict.kind === 'refused') return refusedClaim('The step is not accepted.', verdict.gaps);
    const unverified = verdict.unverified ? ` ${verdict.unverified} of its evidence counts as unverified.` : '';
    return { text: `Step done: ${step.step}.${unverified}`, observations: [{ kind: 'step', step }] };
  },
});
