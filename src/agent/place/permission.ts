import { decide, type PolicyRules } from '../../policy/index.ts';
import type { Refused } from './place.ts';

/** Without a contract everything in the repository is in scope; what policy denies always stays denied. */
const RULES_OF_NO_CONTRACT: PolicyRules = {
  classifyPath: () => ({ kind: 'in_scope' }),
  verification: [],
  allowedCommands: [],
};

/** Credentials are not read, and Git's own files are not changed: a hook in them would run outside. */
export function denyAccess(kind: 'read' | 'edit' | 'move' | 'delete', paths: readonly string[]): Refused | undefined {
  const decision = decide(RULES_OF_NO_CONTRACT, { kind, paths: paths.map((path) => ({ kind: 'inside', path })) });
  return decision.kind === 'deny'
    ? { kind: 'refused', reason: `is refused (${decision.clause}). ${decision.hint}` }
    : undefined;
}
