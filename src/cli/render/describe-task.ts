import type { TaskDetail } from '../../app/index.ts';
import { visibleLine } from '../../base/index.ts';
import { MAX_REPAIR_ROUNDS } from '../../task/index.ts';
import type { Style } from '../terminal.ts';
import { candidateLines, lastWordsLines } from './describe-candidate.ts';
import { acceptanceLines, checkLines } from './describe-checks.ts';
import { contractLines } from './describe-contract.ts';
import { questionLines } from './describe-question.ts';
import { paragraph, paragraphs } from './foreign-text.ts';
import { usageText } from './measures.ts';
import { nextSteps } from './next-steps.ts';
import { stateText } from './states.ts';

/** Everything about a task that a person decides by, on one page of at most so many columns. */
export function describeTask(detail: TaskDetail, style: Style, width: number): string {
  const { verification, acceptance_evidence } = detail;
  const sections = [
    standingLines(detail, style, width),
    openQuestion(detail, style, width),
    lastWordsLines(detail, style, width),
    candidateLines(detail, style, width),
    verification.length === 0
      ? []
      : [
          style('bold', 'Verification by the host'),
          ...verification.flatMap((check) => checkLines(check, style, width)),
        ],
    contractLines(detail, style, width),
    [style('bold', 'Acceptance'), ...acceptanceLines(acceptance_evidence, style)],
    factLines(detail, style, width),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Where the task stands, why, and what to type next. */
export function standingLines(detail: TaskDetail, style: Style, width: number): string[] {
  const { status } = detail;
  const steps = nextSteps(detail);
  const widest = Math.max(0, ...steps.map(({ does }) => does.length));
  return [
    `${style('bold', visibleLine(status.task_id))}  ${stateText(status, style)}`,
    ...(status.reason === undefined ? [] : [paragraphs('  why   ', status.reason, width)]),
    ...(status.commit_hash === undefined
      ? []
      : [`  made  commit ${status.commit_hash} on ${visibleLine(status.branch)}`]),
    // Whole, however narrow the terminal is: a command that is broken into lines cannot be copied.
    ...steps.map(
      ({ does, command }, index) =>
        `  ${index === 0 ? 'next' : '    '}  ${`${does}:`.padEnd(widest + 2)}${style('bold', visibleLine(command))}`,
    ),
  ];
}

function openQuestion({ interactions }: TaskDetail, style: Style, width: number): string[] {
  const open = interactions.find(({ status }) => status === 'pending');
  return open === undefined ? [] : questionLines(open, style, width);
}

function factLines(detail: TaskDetail, style: Style, width: number): string[] {
  const { status, repository, base_commit, worker, agent, created_at, usage } = detail;
  const facts = [
    ['repository', repository],
    ['base', base_commit],
    ['branch', status.branch],
    ['worktree', status.worktree],
    ['worker', agent === undefined ? worker : `${worker}: ${agent}`],
    ['lane', `${status.worker_lane}, effort ${status.effective_reasoning_effort}`],
    ['repairs', `${status.repair_rounds} of ${MAX_REPAIR_ROUNDS}`],
    ['delegated', created_at],
    ['changed', status.updated_at],
    ...(usage === undefined ? [] : [['usage', `${usageText(usage)} (the worker says)`]]),
  ];
  return [
    style('bold', 'Facts'),
    ...facts.map(([name = '', fact = '']) => paragraph(`  ${name.padEnd(11)}`, fact, width)),
  ];
}
