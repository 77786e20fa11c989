import type { WorkerReview } from '../../evidence/index.ts';
import type { Style } from '../terminal.ts';
import { inline, paragraph } from './foreign-text.ts';

/** The worker's own review: its words, and what the host saw that let them count. */
export function workerReviewLines(review: WorkerReview | undefined, style: Style, width: number): string[] {
  if (review === undefined) return [];
  const { reports, evidence, unverified } = review;
  return [
    style('bold', 'Its own review; the host saw what it rests on'),
    ...reports.flatMap(({ kind, verdict, findings }) => [
      `  ${inline(kind)}: ${verdict === 'pass' ? style('green', verdict) : style('yellow', inline(verdict))}, ${counted(findings.length, 'finding')}`,
      ...findings.map(({ summary, severity, path, line }) =>
        paragraph('    - ', [...whereText(severity, path, line), summary].join(': '), width),
      ),
    ]),
    ...evidence.map(({ path, receipts }) => paragraph('  read ', `${path} (receipts ${receipts.join(', ')})`, width)),
    ...(unverified === 0 ? [] : [`  ${counted(unverified, 'piece')} of its evidence for steps is only its word`]),
  ];
}

function whereText(severity: string | undefined, path: string | undefined, line: number | undefined): string[] {
  const place = path === undefined || line === undefined ? path : `${path}:${line}`;
  const known = [severity, place].filter((part) => part !== undefined);
  return known.length === 0 ? [] : [known.join(' ')];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
