import { z } from 'zod';
import { visibleLine } from '../base/index.ts';
import { type Change, changesOf } from './changes.ts';
import type { Frozen } from './frozen.ts';
import { describeLines } from './line-ranges.ts';
import type { Observation } from './observation.ts';
import { readEvidence, type Sights, sightsOf } from './read-evidence.ts';
import { repositoryPath } from './repository-path.ts';
import { callToSee, readCall, type ToolCall } from './tool-calls.ts';

const texts = z.array(z.string().min(1).max(4000)).max(100);

const findingSchema = z.strictObject({
  summary: z.string().min(1).max(4000).describe('What was found.'),
  severity: z.enum(['blocking', 'high', 'medium', 'low', 'info']).optional().describe('"blocking" forbids delivery.'),
  path: z.string().min(1).max(4096).optional().describe('Where: the file.'),
  line: z.int().min(1).optional().describe('Where: the line, from 1.'),
});

/** What `review_report` takes. */
export const reviewReportSchema = z.strictObject({
  kind: z.enum(['review', 'security']).describe('security: the review of what the change means for security.'),
  verdict: z.enum(['pass', 'warn', 'block']).describe('"block" forbids delivery.'),
  reviewed_paths: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(10_000)
    .describe('Every changed path, each read after its latest change; deleted ones and both names of a moved one too.'),
  findings: z.array(findingSchema).max(1000).describe('What was found; empty when nothing was.'),
  blocking_findings: texts.optional().describe('Findings that must be repaired before delivery.'),
  non_blocking: texts.optional().describe('Findings that need not be.'),
  required_changes: texts.optional().describe('What would have to change.'),
});

export type ReviewReport = Frozen<z.infer<typeof reviewReportSchema>>;

/** One piece that is missing, and the call that would supply it. */
export interface Gap {
  readonly code:
    | 'path_unread'
    | 'deletion_unseen'
    | 'path_unreviewed'
    | 'path_unknown'
    | 'report_missing'
    | 'security_report_missing'
    | 'verification_missing'
    | 'verification_failed'
    | 'todo_open';
  readonly message: string;
  readonly call: ToolCall;
}

export type ReportVerdict =
  | { readonly kind: 'accepted'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly gaps: readonly Gap[] };

/**
 * Judges a report by the ledger before it: a review covers every changed path, a security review those that touch
 * security, and each path that it names was read after its latest change. `worktree` is the worktree's absolute path.
 */
export function judgeReviewReport(
  report: ReviewReport,
  ledger: readonly Observation[],
  worktree?: string,
): ReportVerdict {
  const changes = changesOf(ledger).paths;
  const sights = sightsOf(ledger, worktree);
  const names = report.reviewed_paths.map((written) => repositoryPath(written, { worktree }));
  const demanded = changes.filter(({ security }) => report.kind === 'review' || security.length > 0);
  const valid = names.flatMap((name) => name || []);
  const call = reportCall(report.kind, [...valid, ...demanded.map(({ path }) => path)], report);
  const gaps = report.reviewed_paths.flatMap((written, at) => {
    const path = names[at];
    if (!path)
      return [
        { code: 'path_unknown' as const, message: `${visibleLine(written)} is no file of the repository.`, call },
      ];
    const change = changes.find((candidate) => candidate.path === path);
    return change === undefined ? unchangedGaps(path, sights) : unreadGaps(change, sights);
  });
  const left = demanded.filter(({ path }) => !names.includes(path));
  gaps.push(...left.flatMap((change) => unreadGaps(change, sights)));
  if (left.length > 0) {
    const message = `The report leaves out what was changed: ${listPaths(left.map(({ path }) => path))}.`;
    gaps.push({ code: 'path_unreviewed', message, call });
  }
  return gaps.length > 0 ? { kind: 'refused', gaps } : { kind: 'accepted', paths: [...new Set(valid)] };
}

/** The gap of a change that was not seen since; none when it was. */
export function unreadGaps(change: Change, sights: Sights): Gap[] {
  const evidence = readEvidence(change, sights);
  const call = callToSee(change, evidence);
  if (evidence.kind === 'seen' || call === undefined) return [];
  const path = visibleLine(change.path);
  if (evidence.kind === 'deletion_unseen')
    return [{ code: 'deletion_unseen', message: `The deletion of ${path} was not looked at since it was made.`, call }];
  if (evidence.kind === 'unreadable') {
    const what = change.entry === 'link' ? 'is a link' : 'cannot be read';
    const next = change.isNew ? 'nothing shows it, so it cannot be delivered' : 'only its difference shows it';
    return [{ code: 'path_unread', message: `${path} ${what}: ${next}.`, call }];
  }
  const lines = evidence.lines.length === 0 ? '' : ` (${describeLines(evidence.lines)})`;
  return [{ code: 'path_unread', message: `${path} was not read since its latest change${lines}.`, call }];
}

function unchangedGaps(path: string, sights: Sights): Gap[] {
  if (sights.has(path)) return [];
  return [
    {
      code: 'path_unread',
      message: `${visibleLine(path)} is named as reviewed and was never read.`,
      call: readCall(path),
    },
  ];
}

const NAMED_PATHS = 20;

/** For a sentence; beyond twenty only their number. */
export function listPaths(paths: readonly string[]): string {
  const more = paths.length > NAMED_PATHS ? ` and ${paths.length - NAMED_PATHS} more` : '';
  return paths.slice(0, NAMED_PATHS).map(visibleLine).join(', ') + more;
}

/** The call of a report that covers these paths; of one that was refused its words are kept. */
export function reportCall(kind: ReviewReport['kind'], paths: readonly string[], report?: ReviewReport): ToolCall {
  const words = report ?? { verdict: 'pass', findings: [] };
  return { tool: 'review_report', arguments: { ...words, kind, reviewed_paths: [...new Set(paths)] } };
}

/** Whether a report forbids delivery. */
export function isBlocking(report: ReviewReport): boolean {
  return (
    report.verdict === 'block' ||
    (report.blocking_findings ?? []).length > 0 ||
    report.findings.some(({ severity }) => severity === 'blocking')
  );
}
