import { decide } from './decide.ts';
import type { PolicyRules } from './decision.ts';

/** No contract at all: what is allowed under it is allowed for what it is. */
const NOTHING_LISTED: PolicyRules = {
  classifyPath: () => ({ kind: 'outside' }),
  verification: [],
  allowedCommands: [],
};

/** Whether a command is known to change nothing, by its argv alone; `cwd` is relative to the repository. */
export function isAuditedRead(argv: readonly string[], cwd: string): boolean {
  return decide(NOTHING_LISTED, { kind: 'execute', argv, cwd: { kind: 'inside', path: cwd } }).kind === 'allow';
}
