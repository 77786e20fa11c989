/** A command of the contract, as far as policy looks at it: argv and cwd are compared exactly. */
export interface Command {
  readonly id: string;
  readonly argv: readonly string[];
  /** Repository-relative; `''` and `'.'` both mean the root. */
  readonly cwd: string;
}

/** What policy must know of one contract. The caller joins it; policy does not import the contract's own shape. */
export interface PolicyRules {
  classifyPath(path: string): { kind: 'in_scope' | 'forbidden' | 'outside'; pattern?: string };
  readonly verification: readonly Command[];
  readonly allowedCommands: readonly Command[];
  /** The contract's write scope, only to name it in hints. */
  readonly writeScope?: readonly string[];
  /** Canonical absolute path of the worktree. When given, arguments that name a path under it count as inside. */
  readonly worktree?: string;
}

/**
 * A path that the caller has already canonicalised (links resolved, relative to the worktree). Policy never looks at a
 * disk; what could not be canonicalised is `unresolvable` and is refused, never guessed from its text.
 */
export type ActionPath =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'outside'; readonly shown: string }
  | { readonly kind: 'unresolvable'; readonly shown: string; readonly reason: string };

export type Action =
  | { readonly kind: 'read' | 'search' | 'edit' | 'delete' | 'move'; readonly paths: readonly ActionPath[] }
  | {
      readonly kind: 'execute';
      /** The program and its arguments when the agent gave them as a list. */
      readonly argv: readonly string[] | undefined;
      readonly cwd: ActionPath;
      /** The command as shell text, when the agent gave that too, or only that. */
      readonly commandText?: string;
    }
  | { readonly kind: 'think' }
  | { readonly kind: 'fetch'; readonly target?: string }
  | { readonly kind: 'other'; readonly title?: string };

export type HardDenialCode =
  | 'malformed_command'
  | 'git_mutation'
  | 'github_client'
  | 'network_program'
  | 'privilege_escalation'
  | 'destructive_program'
  | 'shell_or_wrapper'
  | 'inline_code'
  | 'publish_action'
  | 'dependency_change'
  | 'credential_path'
  | 'outside_worktree'
  | 'command_mismatch';

export type DenialCode =
  | HardDenialCode
  | 'not_static'
  | 'not_allowed'
  | 'out_of_scope'
  | 'forbidden_scope'
  | 'git_internals'
  | 'not_enough_information'
  | 'network_fetch';

/** A refusal: the clause that refused, and what would succeed instead. */
export interface Denial {
  readonly kind: 'deny';
  readonly code: DenialCode;
  readonly clause: string;
  readonly hint: string;
}

export type Decision =
  | { readonly kind: 'allow'; readonly clause: string }
  | Denial
  | { readonly kind: 'ask'; readonly clause: string };

export function deny(code: DenialCode, clause: string, hint: string): Denial {
  return { kind: 'deny', code, clause, hint };
}

/** How the clause of a hard denial begins. */
export const HARD_DENIAL = 'policy, hard denial: ';

/** A denial that no contract lifts. */
export function hardDenial(code: HardDenialCode, what: string, hint: string): Denial {
  return { kind: 'deny', code, clause: `${HARD_DENIAL}${what}`, hint };
}
