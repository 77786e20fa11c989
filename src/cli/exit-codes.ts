import type { ErrorCode } from '../base/index.ts';

/** How the process ends. A script can tell the outcomes of a task apart without reading the text. */
export const EXIT = {
  ok: 0,
  internal: 1,
  badInput: 2,
  reviewNeeded: 3,
  paused: 4,
  verificationFailed: 5,
  sandboxUnavailable: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command tells how it ended through this; one that says nothing ended well. */
export type End = (code: ExitCode) => void;

const SPECIAL: Partial<Record<ErrorCode, ExitCode>> = {
  internal_error: EXIT.internal,
  commit_failed: EXIT.internal,
  verification_failed: EXIT.verificationFailed,
  sandbox_unavailable: EXIT.sandboxUnavailable,
};

/** Every other refusal is about what the caller asked for, or where. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return SPECIAL[code] ?? EXIT.badInput;
}
