import type { TaskDetail } from '../../app/index.ts';
import { candidateLines, claimLines } from '../render/describe-candidate.ts';
import { checkLines, commandText } from '../render/describe-checks.ts';
import { inline, paragraph, quoted } from '../render/foreign-text.ts';
import { usageText } from '../render/measures.ts';
import { padToWidth } from '../render/text-width.ts';
import type { Style } from '../terminal.ts';

type Criterion = TaskDetail['contract']['acceptance_criteria'][number];

/** Everything that a reviewer decides by, but the diff itself. */
export function reviewLines(detail: TaskDetail, style: Style, width: number): string[] {
  const sections = [
    headLines(detail, style, width),
    candidateLines(detail, style, width),
    [style('bold', 'Criteria'), ...criteriaLines(detail, style, width)],
    verificationLines(detail, style, width),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => ['', ...lines]);
}

/** Of a new revision that is what was reviewed before: only that, and what the worker says to it. */
export function unchangedLines({ status, review }: TaskDetail, style: Style, width: number): string[] {
  const what = `revision ${status.review_revision} has the same tree as the one that you saw`;
  return ['', `${style('yellow', '!')} nothing was changed: ${what}`, ...claimLines(review, style, width)];
}

function headLines({ status, contract, usage }: TaskDetail, style: Style, width: number): string[] {
  return [
    style('bold', rule(`Review of ${status.task_id}`, width)),
    style('bold', 'Asked for'),
    ...quoted(contract.objective, style, width),
    ...(usage === undefined ? [] : [style('dim', `The worker reports ${usageText(usage)}.`)]),
    ...(status.reason === undefined ? [] : [paragraph('! ', status.reason, width).replace('!', style('red', '!'))]),
  ];
}

function rule(title: string, width: number): string {
  return `── ${title} ${'─'.repeat(Math.max(2, Math.min(width, 100) - title.length - 5))}`;
}

/** First in our words whether it is met, then what it demands in the contract's. */
function criteriaLines(detail: TaskDetail, style: Style, width: number): string[] {
  const { acceptance_criteria } = detail.contract;
  const widest = Math.max(...acceptance_criteria.map(({ id }) => id.length));
  return acceptance_criteria.flatMap((criterion) => {
    const row = detail.acceptance_evidence.find(({ criterionId }) => criterionId === criterion.id);
    const isMet = row?.approved === true;
    const standing = isMet ? `met by ${inline(row.source)}` : howMet(criterion, detail);
    return [
      `  ${isMet ? style('green', '✓') : '○'} ${padToWidth(inline(criterion.id), widest)}  ${standing}`,
      ...quoted(criterion.requirement, style, width, '    '),
    ];
  });
}

function howMet({ id, evidence }: Criterion, { contract, verification }: TaskDetail): string {
  if (evidence === 'review') return 'open, yours to approve';
  const proving = [...contract.verification, ...(contract.file_assertions ?? [])].filter(({ proves }) =>
    proves.includes(id),
  );
  const failed = verification.filter(({ passed, proves }) => !passed && proves.includes(id));
  if (failed.length > 0) return `open: ${failed.map((check) => inline(check.id)).join(', ')} failed`;
  return `open, to be proven by ${proving.map((proof) => inline(proof.id)).join(', ') || 'nothing'}`;
}

function verificationLines({ contract, verification }: TaskDetail, style: Style, width: number): string[] {
  if (verification.length > 0) {
    return [style('bold', 'Verification so far'), ...verification.flatMap((check) => checkLines(check, style, width))];
  }
  const { verification: commands, file_assertions = [] } = contract;
  if (commands.length + file_assertions.length === 0) return ['No verification is part of the contract.'];
  return [
    style('bold', 'Verification that runs before the commit'),
    ...commands.map(({ id, argv, cwd }) => paragraph(`  ${inline(id)}  `, commandText(argv, cwd), width)),
    ...file_assertions.map(({ id, path }) =>
      paragraph(`  ${inline(id)}  `, `${path} has exactly the expected text`, width),
    ),
  ];
}
