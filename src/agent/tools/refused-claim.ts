import type { ClaimAnswer } from '../../protocol/index.ts';
import { failure, type ToolResult } from './define-tool.ts';

type Gaps = Extract<ClaimAnswer, { kind: 'refused' }>['gaps'];

/** What is missing, line by line, each with the call that supplies it. */
export function refusedClaim(what: string, gaps: Gaps): ToolResult {
  return failure([what, ...gaps.map(describeGap)].join('\n'));
}

export function describeGap({ message, call }: Gaps[number]): string {
  const advice = call === undefined ? '' : ` Call ${call.tool} ${JSON.stringify(call.arguments)}.`;
  return `- ${message}${advice}`;
}
