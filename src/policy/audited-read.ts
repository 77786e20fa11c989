import { decide } from './decide.ts';
import type { PolicyRules } from './decision.ts';

/** No contract at all: what is allowed under it is allowed for what it is. */
const NOTHING_LISTED: PolicyRules = {
  classifyPath: () => ({ kind: 'outside' }),
  verification: [],
  allowedCommands: [],
};

/** Whether a command is known to change nothing, by its argv alone; `cwd` is relative to the repository, `worktree` its absolute folder. */
export function isAuditedRead(argv: readonly string[], cwd: string, worktree: string): boolean {
  const rules = { ...NOTHING_LISTED, worktree };
  return decide(rules, { kind: 'execute', argv, cwd: { kind: 'inside', path: cwd } }).kind === 'allow';
}
