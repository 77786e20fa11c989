/**
 * The law: what a TaskContractV1 is, which paths it lets a worker write, and how it reads to a worker.
 * Promises: pure (no disk, no clock); lint names every problem at once; the hash depends on the meaning of a contract,
 * never on key order or on defaults written out; no path is both writable and forbidden; an overlap of two scopes is never missed.
 * Refuses: to judge commands (policy does, through the function that lint is handed) and to normalise the names that Git reports.
 */
export {
  type AllowedCommand,
  type Criterion,
  contractInputSchema,
  contractJsonSchema,
  type FileAssertion,
  type TaskContractV1,
  type Verification,
  type VerifiedContext,
} from './contract-schema.ts';
export { type LintOptions, type LintResult, lintContract, parseStoredContract } from './lint.ts';
export { nearest } from './nearest.ts';
export type { Problem } from './problem.ts';
export { type PromptFacts, type ResumeFacts, renderResumePrompt, renderTaskPrompt } from './prompts.ts';
export { compileScope, type Scope, type ScopePatterns, type ScopeVerdict } from './scope.ts';
export { type Overlap, scopesOverlap } from './scope-overlap.ts';
export { PLACEHOLDER } from './text-problems.ts';
