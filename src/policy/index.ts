/**
 * What an action may do under a contract: (contract, action) → allow, deny with clause and hint, or ask. Promises: pure and
 * total; hard denials come first and no contract lifts them; what is not understood is refused. Refuses: to look at a disk,
 * to know ACP, to be the boundary: that is the sandbox and the snapshot; decisions here are early feedback.
 */
export { decideCommand, denyVerificationCommand } from './command-policy.ts';
export { isCredentialPath } from './credential-path.ts';
export { decide } from './decide.ts';
export type { Action, ActionPath, Command, Decision, Denial, DenialCode, PolicyRules } from './decision.ts';
export { deniedProgramNames } from './denied-programs.ts';
export { parseSimpleCommand } from './simple-command.ts';
