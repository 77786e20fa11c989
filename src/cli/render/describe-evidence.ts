import type { TaskEvidence } from '../../app/index.ts';
import { observationOf } from '../../evidence/index.ts';
import type { Style } from '../terminal.ts';
import { acceptanceLines, commandText, passedText } from './describe-checks.ts';
import { paragraph, quoted } from './foreign-text.ts';

type Document = NonNullable<TaskEvidence['document']>;
type Receipt = TaskEvidence['receipts'][number];

/** What speaks for a task: the document that its commit names, what proves each criterion, and the ledger in order. */
export function describeEvidence(evidence: TaskEvidence, style: Style, width: number): string {
  const { document, document_sha256, acceptance, receipts, ledger_intact } = evidence;
  const sections = [
    document === undefined
      ? [style('bold', 'Evidence document'), '  There is none before the commit.']
      : documentLines(document, document_sha256 ?? '', style, width),
    [style('bold', 'Acceptance'), ...acceptanceLines(acceptance, style)],
    [
      style('bold', `Ledger: ${receipts.length} receipts of what the host saw`),
      ...receipts.map((receipt) => receiptLine(receipt, style, width)),
      ledger_intact
        ? style('green', '  intact: each receipt seals the one before it')
        : style('red', '  BROKEN: a receipt was changed, lost or put in another order'),
    ],
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function documentLines(document: Document, sha256: string, style: Style, width: number): string[] {
  const { approval, verification, file_assertions, sandbox, worker } = document;
  const agent = [worker.agent_name, worker.agent_version].filter(Boolean).join(' ');
  return [
    style('bold', 'Evidence document, whose SHA-256 stands in the commit as Remit-Evidence'),
    `  sha256    ${sha256}`,
    `  contract  ${document.contract_sha256}`,
    `  base      ${document.base_commit}`,
    `  tree      ${document.tree}`,
    `  diff      ${document.diff_sha256}`,
    paragraph(
      '  approved  ',
      `revision ${document.review_revision} at ${approval.approved_at}: ${approval.approved_criteria.join(', ') || 'no criteria'}`,
      width,
    ),
    ...quoted(approval.summary, style, width, '            '),
    paragraph('  sandbox   ', `${sandbox.engine}${sandbox.confined ? '' : ', which confines NOTHING'}`, width),
    paragraph('  worker    ', agent === '' ? worker.name : `${worker.name}: ${agent}`, width),
    ...verification.map(({ id, passed, argv, cwd, exit_code }) =>
      proofLine(passed, `${id}: ${commandText(argv, cwd)} (exit ${exit_code ?? 'none'})`, style, width),
    ),
    ...file_assertions.map(({ id, passed, path }) => proofLine(passed, `${id}: file ${path}`, style, width)),
  ];
}

function proofLine(passed: boolean, what: string, style: Style, width: number): string {
  return paragraph('  passed ', what, width).replace('passed', passedText(passed, style));
}

function receiptLine(receipt: Receipt, style: Style, width: number): string {
  const { seq, at, source, kind, subject, success } = receipt;
  const whose = source === 'host' ? '' : ' (the worker claims)';
  const first = `  ${String(seq).padStart(4)}  ${at}  yes  `;
  const how = success ? style('green', 'yes') : style('red', 'no ');
  return paragraph(first, `${kind}${whose}: ${subject}${seenText(receipt)}`, width).replace('yes', how);
}

/** What of the thing was seen. */
function seenText(receipt: Receipt): string {
  const seen = observationOf(receipt);
  switch (seen?.kind) {
    case 'read':
      return `, ${linesText(seen.ranges)} of ${seen.total_lines}`;
    case 'write':
      return seen.change === 'deleted'
        ? ', deleted'
        : `, ${seen.change}, ${linesText(seen.changed)} of ${seen.total_lines}`;
    case 'command':
      return ` (exit ${seen.exit_code ?? 'none'})`;
    default:
      return '';
  }
}

function linesText(ranges: readonly { readonly from: number; readonly to: number }[]): string {
  if (ranges.length === 0) return 'no line';
  return `lines ${ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')}`;
}
