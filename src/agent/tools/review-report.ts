import { reviewReportSchema } from '../../evidence/index.ts';
import { defineTool } from './define-tool.ts';
import { refusedClaim } from './refused-claim.ts';

export const reviewReport = defineTool({
  name: 'review_report',
  readOnly: true,
  description:
    'Report the review of your changes; the turn cannot end without it. Refused while a changed path is left out or was not read after its latest change.',
  input: reviewReportSchema,
  async run(report, { authority, ledger }) {
    const verdict = await authority.claim({ kind: 'report', report }, ledger);
    if (verdict.kind === 'refused') return refusedClaim('The report is not accepted.', verdict.gaps);
    return { text: `The ${report.kind} report is accepted.`, observations: [{ kind: 'report', report }] };
  },
});
