import type { ClaimAnswer } from '../../protocol/index.ts';
import { failure, type ToolResult } from './define-tool.ts';

type Gaps = Extract<ClaimAnswer, { kind: 'refused' }>['gaps'];

/** Told at once; who closes these is told the next. */
const TOLD_GAPS = 20;
/** Of a call; a longer one names paths without an end. */
const LONGEST_CALL = 4096;

/** What is missing, line by line, each with the call that supplies it. */
export function refusedClaim(what: string, gaps: Gaps): ToolResult {
  return failure(`${what}\n${describeGaps(gaps)}`);
}

export function describeGaps(gaps: Gaps): string {
  const more = gaps.length > TOLD_GAPS ? [`- and ${gaps.length - TOLD_GAPS} more like these`] : [];
  return [...gaps.slice(0, TOLD_GAPS).map(describeGap), ...more].join('\n');
}

function describeGap({ message, call }: Gaps[number]): string {
  if (call === undefined) return `- ${message}`;
  const input = JSON.stringify(call.arguments);
  return `- ${message} Call ${call.tool} ${input.length > LONGEST_CALL ? 'with every path' : input}.`;
}
