import { visibleLine } from '../base/index.ts';
import { type Change, type Changes, changesOf } from './changes.ts';
import { judgeCompleteStep } from './complete-step.ts';
import type { Observation } from './observation.ts';
import { type Sights, sightsOf } from './read-evidence.ts';
import { repositoryPath } from './repository-path.ts';
import {
  type Gap,
  isBlocking,
  judgeReviewReport,
  listPaths,
  type ReviewReport,
  reportCall,
  unreadGaps,
} from './review-report.ts';
import { openTodos } from './todos.ts';
import { bashCall, commandLine, type ToolCall } from './tool-calls.ts';

export interface RequiredCommand {
  readonly id: string;
  readonly argv: readonly string[];
  /** Relative to the repository; '' or '.' for its root. */
  readonly cwd: string;
}

export interface DeliveryRequirements {
  /** Verification that the worker may run and that must have passed. In lane `fast` it stays with the host. */
  readonly commands: readonly RequiredCommand[];
  readonly lane: 'fast' | 'deep';
}

export interface GateInput {
  /** Everything that was seen, in order. */
  readonly ledger: readonly Observation[];
  readonly requirements: DeliveryRequirements;
  /** Absolute path of the worktree; without it an absolute path in an argv or a report names nothing. */
  readonly worktree?: string | undefined;
}

export type DeliveryGate =
  /** Nothing differs from the start: a turn may end without ceremony. */
  | { readonly kind: 'no_change' }
  | {
      readonly kind: 'ready';
      readonly review: ReviewReport;
      readonly security?: ReviewReport | undefined;
      /** Every changed path, deleted ones too. */
      readonly paths: readonly string[];
      /** How much of the steps' evidence is only the worker's word. */
      readonly unverified: number;
    }
  /** A report forbids delivery. Only another change lifts that: else a worker could take its own warning back. */
  | { readonly kind: 'blocked'; readonly findings: readonly string[] }
  | { readonly kind: 'missing'; readonly gaps: readonly Gap[] };

/** Whether changed work may be handed over, by nothing but what was seen; the gaps stand in the order to close them. */
export function deliveryGate({ ledger, requirements, worktree }: GateInput): DeliveryGate {
  const changes = changesOf(ledger);
  if (changes.paths.length === 0) return { kind: 'no_change' };
  const reports = reportsSince(changes.last, ledger);
  const blocking = reports.filter(({ report }) => isBlocking(report));
  if (blocking.length > 0) return { kind: 'blocked', findings: blocking.flatMap(({ report }) => blockersOf(report)) };

  const review = lastAccepted('review', reports, ledger, worktree);
  const security = lastAccepted('security', reports, ledger, worktree);
  const steps = acceptedSteps(ledger, worktree);
  const gaps = [
    ...(requirements.lane === 'fast' ? [] : commandGaps(requirements.commands, changes, ledger)),
    ...todoGaps(ledger, changes, new Set(steps.keys())),
    ...(review === undefined ? reviewGaps(changes, sightsOf(ledger, worktree)) : []),
    ...(security === undefined ? securityGaps(changes) : []),
  ];
  if (gaps.length > 0 || review === undefined) return { kind: 'missing', gaps };
  const unverified = [...steps.values()].reduce((sum, count) => sum + count, 0);
  return { kind: 'ready', review, security, paths: pathsOf(changes.paths), unverified };
}

interface PlacedReport {
  readonly report: ReviewReport;
  /** Its place in the ledger. */
  readonly at: number;
}

function reportsSince(last: number, ledger: readonly Observation[]): PlacedReport[] {
  return ledger.flatMap((observation, at) =>
    observation.kind === 'report' && at > last ? [{ report: observation.report, at }] : [],
  );
}

/** Of each kind only the latest are looked at: whoever is refused so often in a row has to report once more. */
const JUDGED_REPORTS = 16;

/** Each is judged by what stood before it: a path that was read afterwards was not read for it. */
function lastAccepted(
  kind: ReviewReport['kind'],
  reports: readonly PlacedReport[],
  ledger: readonly Observation[],
  worktree: string | undefined,
): ReviewReport | undefined {
  return reports
    .filter(({ report }) => report.kind === kind)
    .slice(-JUDGED_REPORTS)
    .findLast(({ report, at }) => judgeReviewReport(report, ledger.slice(0, at), worktree).kind === 'accepted')?.report;
}

/** A warning needs no evidence to be heard. */
function blockersOf(report: ReviewReport): string[] {
  const marked = report.findings.filter(({ severity }) => severity === 'blocking').map(({ summary }) => summary);
  const named = [...new Set([...(report.blocking_findings ?? []), ...marked])];
  if (named.length > 0) return named;
  const others = [...(report.required_changes ?? []), ...report.findings.map(({ summary }) => summary)];
  return others.length > 0 ? others : ['The report’s verdict is "block"; it names no finding.'];
}

/** Places of the accepted steps in the ledger, each with how much of its evidence is unverified. */
function acceptedSteps(ledger: readonly Observation[], worktree: string | undefined): Map<number, number> {
  const steps = new Map<number, number>();
  for (const [at, observation] of ledger.entries()) {
    if (observation.kind !== 'step') continue;
    const verdict = judgeCompleteStep(observation.step, ledger.slice(0, at), worktree);
    if (verdict.kind === 'accepted') steps.set(at, verdict.unverified);
  }
  return steps;
}

/** The last run since the last change decides: one that failed afterwards is not outweighed by one that passed. */
function commandGaps(commands: readonly RequiredCommand[], changes: Changes, ledger: readonly Observation[]): Gap[] {
  return commands.flatMap(({ id, argv, cwd }): Gap[] => {
    const run = ledger
      .slice(changes.last + 1)
      .filter((observation) => observation.kind === 'command')
      .findLast((command) => isSame(command.argv, argv) && isSameFolder(command.cwd, cwd));
    if (run?.exit_code === 0) return [];
    const call = bashCall(argv, cwd);
    const name = `Verification ${id} (${visibleLine(commandLine(argv))})`;
    return run === undefined
      ? [{ code: 'verification_missing', message: `${name} has not run since the last change.`, call }]
      : [
          {
            code: 'verification_failed',
            message: `${name} did not pass when it last ran; mend it and run it again.`,
            call,
          },
        ];
  });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

function isSameFolder(one: string, other: string): boolean {
  const [folder, wanted] = [one, other].map((cwd) => repositoryPath(cwd || '.'));
  return folder !== undefined && folder === wanted;
}

function todoGaps(ledger: readonly Observation[], changes: Changes, steps: ReadonlySet<number>): Gap[] {
  const paths = pathsOf(changes.paths);
  return openTodos(ledger, steps).map(({ text }) => ({
    code: 'todo_open',
    message: `Todo "${visibleLine(text)}" is not signed off: complete it with evidence, or cancel it with todo_write.`,
    call: completeStepCall(text, paths),
  }));
}

function completeStepCall(step: string, paths: readonly string[]): ToolCall {
  const evidence = [{ kind: 'diff', summary: 'What was changed for it.', paths }];
  return { tool: 'complete_step', arguments: { step, result: 'Done.', evidence } };
}

function reviewGaps({ paths }: Changes, sights: Sights): Gap[] {
  const call = reportCall('review', pathsOf(paths));
  const message = `No accepted review_report since the last change covers ${namesOf(paths)}. Say what you found; "pass" only when it is true.`;
  return [...paths.flatMap((change) => unreadGaps(change, sights)), { code: 'report_missing', message, call }];
}

/** Whatever is unread stands among the gaps of the review, which covers these paths too. */
function securityGaps(changes: Changes): Gap[] {
  const paths = changes.paths.filter(({ security }) => security.length > 0);
  if (paths.length === 0) return [];
  const topics = [...new Set(paths.flatMap(({ security }) => security))].join(', ');
  const message = `The change touches ${topics}: no accepted review_report of kind security since the last change covers ${namesOf(paths)}.`;
  return [{ code: 'security_report_missing', message, call: reportCall('security', pathsOf(paths)) }];
}

function pathsOf(changes: readonly Change[]): string[] {
  return changes.map(({ path }) => path);
}

function namesOf(changes: readonly Change[]): string {
  return listPaths(pathsOf(changes));
}
