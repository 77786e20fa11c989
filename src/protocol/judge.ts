import {
  type DeliveryGate,
  judgeCompleteStep,
  judgeReviewReport,
  type Observation,
  type ToolCall,
} from '../evidence/index.ts';
import type { Claim, ClaimAnswer, GateAnswer } from './work.ts';

/** What a claim is worth by the ledger before it; `worktree` is the absolute path that absolute paths are compared with. */
export function judgeClaim(claim: Claim, ledger: readonly Observation[], worktree: string): ClaimAnswer {
  switch (claim.kind) {
    case 'todos':
      return { kind: 'accepted' };
    case 'step': {
      const verdict = judgeCompleteStep(claim.step, ledger, worktree);
      if (verdict.kind === 'accepted') return verdict;
      const gaps = verdict.problems.map(({ field, message, call }) => gap('step', `${field}: ${message}.`, call));
      return { kind: 'refused', gaps };
    }
    case 'report': {
      const verdict = judgeReviewReport(claim.report, ledger, worktree);
      if (verdict.kind === 'accepted') return { kind: 'accepted' };
      return { kind: 'refused', gaps: verdict.gaps.map(({ code, message, call }) => gap(code, message, call)) };
    }
  }
}

/** The gate as it is told to the worker. */
export function gateAnswer(gate: DeliveryGate): GateAnswer {
  switch (gate.kind) {
    case 'no_change':
    case 'ready':
      return { kind: gate.kind };
    case 'blocked':
      return { kind: 'blocked', findings: [...gate.findings] };
    case 'missing':
      return { kind: 'missing', gaps: gate.gaps.map(({ code, message, call }) => gap(code, message, call)) };
  }
}

function gap(code: string, message: string, call: ToolCall | undefined) {
  return { code, message, ...(call && { call: { tool: call.tool, arguments: { ...call.arguments } } }) };
}
