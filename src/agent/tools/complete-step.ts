import { completeStepSchema, judgeCompleteStep, type StepProblem } from '../../evidence/index.ts';
import { defineTool, failure } from './define-tool.ts';

export const completeStep = defineTool({
  name: 'complete_step',
  readOnly: true,
  description:
    'Say that a step is done, with what shows it. Refused when the record of this session does not bear it out.',
  input: completeStepSchema,
  async run(step, { ledger, place }) {
    const verdict = judgeCompleteStep(step, ledger, place.root);
    if (verdict.kind === 'refused')
      return failure(['The step is not accepted.', ...verdict.problems.map(describe)].join('\n'));
    const unverified = verdict.unverified === 0 ? '' : ` ${verdict.unverified} of its evidence counts as unverified.`;
    return { text: `Step done: ${step.step}.${unverified}`, observations: [{ kind: 'step', step }] };
  },
});

function describe({ field, message, call }: StepProblem): string {
  const advice = call === undefined ? '' : ` Call ${call.tool} ${JSON.stringify(call.arguments)}.`;
  return `- ${field}: ${message}.${advice}`;
}
