/** What a caller can sensibly do next after an error. Listed in `wire/errors.json`. */
export const NEXT_ACTIONS = [
  'fix_request',
  'inspect_task',
  'respond_to_interaction',
  'resolve_source_collision',
  'resume_task',
  'repair_and_finalize',
  'retry',
  'create_new_task',
  'install_or_upgrade',
  'none',
] as const;

export type NextAction = (typeof NEXT_ACTIONS)[number];

interface Advice {
  readonly retryable: boolean;
  readonly next_action: NextAction;
}

/** Every error code that Remit answers with. A code without a next action does not compile. */
export const ERROR_CODES = {
  invalid_contract: { retryable: false, next_action: 'fix_request' },
  invalid_request: { retryable: false, next_action: 'fix_request' },
  missing_sandbox_metadata: { retryable: false, next_action: 'install_or_upgrade' },
  read_only_sandbox: { retryable: false, next_action: 'fix_request' },
  unsupported_platform: { retryable: false, next_action: 'install_or_upgrade' },
  not_git_repository: { retryable: false, next_action: 'fix_request' },
  dirty_repository: { retryable: false, next_action: 'fix_request' },
  task_conflict: { retryable: false, next_action: 'create_new_task' },
  task_not_found: { retryable: false, next_action: 'create_new_task' },
  invalid_state: { retryable: false, next_action: 'inspect_task' },
  scope_violation: { retryable: false, next_action: 'resolve_source_collision' },
  ownership_ambiguous: { retryable: false, next_action: 'resolve_source_collision' },
  reasonix_incompatible: { retryable: false, next_action: 'install_or_upgrade' },
  reasonix_unavailable: { retryable: true, next_action: 'retry' },
  worker_incompatible: { retryable: false, next_action: 'install_or_upgrade' },
  worker_unavailable: { retryable: true, next_action: 'retry' },
  interaction_not_found: { retryable: false, next_action: 'inspect_task' },
  repair_limit_reached: { retryable: false, next_action: 'repair_and_finalize' },
  verification_failed: { retryable: false, next_action: 'repair_and_finalize' },
  secret_detected: { retryable: false, next_action: 'repair_and_finalize' },
  commit_failed: { retryable: false, next_action: 'repair_and_finalize' },
  lease_conflict: { retryable: true, next_action: 'retry' },
  output_limit_exceeded: { retryable: false, next_action: 'inspect_task' },
  sandbox_unavailable: { retryable: false, next_action: 'install_or_upgrade' },
  internal_error: { retryable: false, next_action: 'none' },
} as const satisfies Record<string, Advice>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a text that came from outside, or stands in a task's phase, is one of them. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

export interface RemitErrorOptions {
  /** Facts for a program: problems, fresh tokens, names of conflicting things. JSON only. */
  readonly details?: Record<string, unknown>;
  readonly cause?: unknown;
  /** Overrides the table where one case of a code differs, for example a lock that will go away. */
  readonly retryable?: boolean;
}

/** A refusal or failure that a caller is meant to see. The message names the thing, the clause and the next step. */
export class RemitError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly nextAction: NextAction;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: RemitErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RemitError';
    this.code = code;
    this.retryable = options.retryable ?? ERROR_CODES[code].retryable;
    this.nextAction = ERROR_CODES[code].next_action;
    this.details = options.details;
  }
}
