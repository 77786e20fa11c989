/**
 * What a worker's request or a command may do under a contract: (rules, action) → allow | deny | ask, as tables.
 *
 * Promises: pure (no disk, no clock), never throws, and each refusal names its clause and what would succeed. Hard
 * denials come first and no contract lifts them. Refuses: whatever it cannot read for certain. It decides requests, which is
 * early feedback: the sandbox and the snapshot hold where an agent does not ask.
 */
export { isAuditedRead } from './audited-read.ts';
export { denyVerificationCommand } from './command-policy.ts';
export { decide } from './decide.ts';
export type {
  Action,
  ActionPath,
  Command,
  Decision,
  Denial,
  DenialCode,
  HardDenialCode,
  PolicyRules,
} from './decision.ts';
export { plainRun, type Run } from './plain-git.ts';
export { parseSimpleCommand } from './simple-command.ts';
