import { judgeReviewReport, reviewReportSchema } from '../../evidence/index.ts';
import { defineTool, failure } from './define-tool.ts';

export const reviewReport = defineTool({
  name: 'review_report',
  readOnly: true,
  description:
    'Report the review of your changes; the turn cannot end without it. Refused while a changed path is left out or was not read after its latest change.',
  input: reviewReportSchema,
  async run(report, { ledger, place }) {
    const verdict = judgeReviewReport(report, ledger, place.root);
    if (verdict.kind === 'accepted') {
      return { text: `The ${report.kind} report is accepted.`, observations: [{ kind: 'report', report }] };
    }
    const gaps = verdict.gaps.map(
      ({ message, call }) => `- ${message} Call ${call.tool} ${JSON.stringify(call.arguments)}.`,
    );
    return failure(['The report is not accepted.', ...gaps].join('\n'));
  },
});
